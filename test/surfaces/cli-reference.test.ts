import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERROR_CODES } from '../../src/domain/errors.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import { EXIT_CODES } from '../../src/surfaces/cli/exit-codes.ts';
import { PRINTERS } from '../../src/surfaces/cli/print/print.ts';
import { commandReference } from '../../src/surfaces/cli/reference.ts';

const docs = new URL('../../docs/', import.meta.url);
const page = (name: string): string => readFileSync(new URL(name, docs), 'utf8');

test('docs/cli.md holds the reference of the commands as they are', () => {
  const [, generated = ''] = page('cli.md').split(/<!-- reference: .* -->\n/);
  expect(generated.split('<!-- end of reference -->')[0]?.trim(), 'run npm run reference').toBe(
    commandReference().trim(),
  );
});

test('every command has a printer for people', () => {
  const commands = OPERATIONS.filter(({ cli }) => cli).map(({ name }) => name);
  expect(Object.keys(PRINTERS).toSorted()).toEqual(commands.toSorted());
});

test('docs/errors.md has every code with its exit code', () => {
  const text = page('errors.md');
  for (const code of ERROR_CODES) expect(text).toContain(`| \`${code}\` | ${EXIT_CODES[code]} |`);
});
