import * as z from 'zod';
import { snakeCase } from '../../domain/parse.ts';

/**
 * The part of JSON Schema that every model provider takes: one unknown keyword in one tool makes
 * some of them refuse every request.
 */
export interface WireSchema {
  type: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';
  description?: string;
  enum?: readonly string[];
  items?: WireSchema;
  properties?: Record<string, WireSchema>;
  required?: readonly string[];
}

export interface ObjectSchema extends WireSchema {
  type: 'object';
}

type Node = z.core.JSONSchema.BaseSchema;

const TYPES: ReadonlySet<string> = new Set([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
]);

/** What a tool accepts. @param shown fields to publish, in the library's spelling; absent = all */
export function inputSchema(input: z.ZodObject, shown?: readonly string[]): ObjectSchema {
  const { properties = {}, required = [], ...root } = convert(input, 'input');
  const names = shown ?? Object.keys(properties);
  const kept = names.filter((name) => required.includes(name)).map(snakeCase);
  return {
    ...root,
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => [snakeCase(name), fieldOf(properties, name)]),
    ),
    ...(kept.length > 0 ? { required: kept } : {}),
  };
}

/**
 * What a tool answers. Keys beyond these may come: nothing here forbids them.
 * @param shallow leave out what is inside lists and objects, for a short tool list
 */
export function outputSchema(output: z.ZodObject, shallow: boolean): ObjectSchema {
  const schema = convert(output, 'output');
  if (!shallow) return { ...schema, type: 'object' };
  const properties = Object.entries(schema.properties ?? {}).map(([name, { type, items }]) => [
    name,
    { type, ...(items ? { items: { type: items.type } } : {}) },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function fieldOf(properties: Record<string, WireSchema>, name: string): WireSchema {
  const field = properties[name];
  if (!field) throw new Error(`no field ${name} to publish`);
  return field;
}

function convert(schema: z.ZodType, io: 'input' | 'output'): WireSchema {
  return plain(z.toJSONSchema(schema, { io, unrepresentable: 'any' }), '');
}

/** Keeps the common subset; what cannot be said in it fails here, not at a provider. */
function plain(node: Node, path: string): WireSchema {
  if (typeof node.type !== 'string' || !TYPES.has(node.type)) {
    throw new Error(`the schema at "${path}" has no plain type: ${JSON.stringify(node)}`);
  }
  const type = node.type as WireSchema['type'];
  return {
    type,
    ...(node.description ? { description: node.description } : {}),
    ...(node.enum ? { enum: node.enum as string[] } : {}),
    ...(type === 'array' ? { items: plain((node.items ?? {}) as Node, `${path}[]`) } : {}),
    ...(type === 'object' ? fields(node, path) : {}),
  };
}

function fields(node: Node, path: string): Pick<WireSchema, 'properties' | 'required'> {
  const entries = Object.entries(node.properties ?? {}) as [string, Node][];
  if (entries.length === 0) return {};
  return {
    properties: Object.fromEntries(
      entries.map(([name, field]) => [name, plain(field, `${path}.${name}`)]),
    ),
    ...(node.required?.length ? { required: node.required } : {}),
  };
}
