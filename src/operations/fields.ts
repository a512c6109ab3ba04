import type { z } from 'zod';
import type { Operation } from './operation.ts';

type FieldKind = 'text' | 'time' | 'number' | 'flag' | 'list' | 'objects';

/** One input of a verb, as help and reference speak of it. */
export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  readonly description: string;
  /** The words that it accepts, where there are only some. */
  readonly choices?: readonly string[];
}

export function fieldsOf({ input }: Pick<Operation, 'input'>): Field[] {
  return Object.entries(input.shape).map(([name, schema]) => fieldOf(name, schema as z.ZodType));
}

function fieldOf(name: string, schema: z.ZodType): Field {
  const required = schema.type !== 'optional';
  const inner = required ? schema : (schema as z.ZodOptional<z.ZodType>).unwrap();
  const description = schema.description ?? inner.description ?? '';
  const choices = inner.type === 'enum' ? (inner as z.ZodEnum).options.map(String) : undefined;
  return { name, kind: kindOf(inner), required, description, ...(choices && { choices }) };
}

/** Lenient types (domain/fields.ts) are pipes: their value's type is at the end, or a transform's. */
function kindOf(schema: z.ZodType): FieldKind {
  if (schema.type === 'pipe') {
    const { out } = schema as z.ZodPipe<z.ZodType, z.ZodType>;
    return out.type === 'transform' ? 'time' : kindOf(out);
  }
  if (schema.type === 'array') {
    return (schema as z.ZodArray<z.ZodType>).element.type === 'string' ? 'list' : 'objects';
  }
  if (schema.type === 'boolean') return 'flag';
  if (schema.type === 'object') return 'objects';
  return schema.type === 'number' ? 'number' : 'text';
}
