import type { Tool } from '@modelcontextprotocol/server';
import type { Surface } from '../../config.ts';
import { operationsFor } from '../../operations/index.ts';
import type { Operation } from '../../operations/operation.ts';
import { inputSchema, outputSchema, type WireSchema } from './schema.ts';

export type { Surface };

/** Tools that hosts with a deferred tool list should show from the start. */
const ALWAYS_LOADED: ReadonlySet<string> = new Set(['recall', 'remember']);

/** Arguments that only make sense where a reply has a ceiling; see `page.ts`. */
export const EXTRA_ARGUMENTS: Readonly<Record<string, Readonly<Record<string, WireSchema>>>> = {
  get: {
    offset: { type: 'integer', description: 'Character of a cut body to go on from' },
  },
};

/** The tools of a surface, derived from the verbs, always in the same order. */
export function toolsFor(surface: Surface): Tool[] {
  return operationsFor(surface).map((operation) => toolOf(operation, surface));
}

/** `recall-docs` is `recall_docs` to a model: names of tools are those of functions. */
export function toolName({ name }: Pick<Operation, 'name'>): string {
  return name.replaceAll('-', '_');
}

function toolOf(operation: Operation, surface: Surface): Tool {
  const { name, title, description, published, annotations } = operation;
  const short = surface === 'core';
  const input = inputSchema(operation.input, short ? published : undefined);
  Object.assign((input.properties ??= {}), EXTRA_ARGUMENTS[name]);
  return {
    name: toolName(operation),
    ...(short ? {} : { title }),
    description,
    inputSchema: input as object as Tool['inputSchema'],
    outputSchema: outputSchema(operation.output, short) as object as Tool['outputSchema'],
    annotations: {
      readOnlyHint: annotations.readOnly,
      // These two say something about writing only.
      ...(annotations.readOnly
        ? {}
        : { destructiveHint: annotations.destructive, idempotentHint: annotations.idempotent }),
      openWorldHint: false,
    },
    ...(ALWAYS_LOADED.has(name) ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
  };
}
