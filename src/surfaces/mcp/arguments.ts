import { LociError, quote } from '../../domain/errors.ts';
import { camelCase, nearestOf, snakeCase } from '../../domain/parse.ts';
import type { Operation } from '../../operations/operation.ts';
import { EXTRA_ARGUMENTS, toolName } from './tools.ts';

/**
 * A tool call's arguments in the library's spelling. Values are left to the verb, which reads
 * numbers, flags and lists from text as well; `null` counts as not given.
 * @throws LociError invalid_input for a name that the tool does not have
 */
export function readArguments(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const extra = Object.keys(EXTRA_ARGUMENTS[operation.name] ?? {});
  const known = [...Object.keys(operation.input.shape).map(snakeCase), ...extra];
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw unknownArguments(toolName(operation), unknown, known);
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [camelCase(name), value]),
  );
}

function unknownArguments(
  tool: string,
  unknown: readonly string[],
  known: readonly string[],
): LociError {
  const names = unknown.map((name) => quote(name)).join(', ');
  const near = nearestOf(snakeCase(unknown[0] ?? ''), known);
  return new LociError(
    'invalid_input',
    `${tool} has no argument ${names}`,
    near ? `Did you mean ${quote(near)}?` : `It takes ${known.join(', ')}.`,
  );
}
