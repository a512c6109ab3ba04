import { snakeCase } from '../../domain/parse.ts';
import { operationsFor } from '../../operations/index.ts';
import type { Operation } from '../../operations/operation.ts';
import { inputSchema, outputSchema, type WireSchema } from './schema.ts';
import { EXTRA_ARGUMENTS, toolName } from './tools.ts';

/** The tools as Markdown: what docs/mcp.md holds between its markers. */
export function toolReference(): string {
  return operationsFor('full').map(section).join('\n');
}

function section({ name, description, audience, published, ...operation }: Operation): string {
  const { properties = {}, required = [] } = inputSchema(operation.input);
  const extra = EXTRA_ARGUMENTS[name] ?? {};
  const listed = new Set([
    ...(published ?? Object.keys(properties)).map(snakeCase),
    ...Object.keys(extra),
  ]);
  const rows = Object.entries({ ...properties, ...extra }).map(
    ([field, schema]) =>
      `| \`${field}\`${listed.has(field) ? '' : ' °'} ` +
      `| ${typeText(schema)}${required.includes(field) ? ', required' : ''} ` +
      `| ${meaning(schema)} |`,
  );
  const answers = Object.keys(outputSchema(operation.output, true).properties ?? {});
  return [
    `### ${toolName({ name })}`,
    '',
    `${description} Surface \`${audience}\`, ${effect(operation.annotations)}.`,
    '',
    ...(rows.length > 0 ? ['| argument | type | meaning |', '|---|---|---|', ...rows, ''] : []),
    `Answers with ${answers.map((key) => `\`${key}\``).join(', ')}.`,
    '',
  ].join('\n');
}

function typeText({ type, items }: WireSchema): string {
  return type === 'array' ? `list of ${items?.type ?? 'string'}s` : type;
}

function meaning({ description = '', enum: values }: WireSchema): string {
  if (!values) return description;
  return [description, values.map((value) => `\`${value}\``).join(', ')].filter(Boolean).join(': ');
}

function effect({ readOnly, destructive }: Operation['annotations']): string {
  if (readOnly) return 'reads';
  return destructive ? 'writes, and takes something away' : 'writes';
}
