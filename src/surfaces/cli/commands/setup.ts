import { flagsOf, type Invocation } from '../invocation.ts';
import { answer } from '../print/print.ts';

/** `setup`: brings a PostgreSQL database to the tables of this program. */
export async function runSetup(invocation: Invocation): Promise<number> {
  const { env, cwd } = invocation.shell;
  const { setUp } = await import('../../../open.ts');
  const result = await setUp(flagsOf(invocation).store, { env, cwd });
  answer(result, invocation, ({ from, to, applied }, { style }) => [
    applied.length === 0
      ? `Nothing to do: the tables are at version ${style.bold(String(to))}`
      : `Tables brought from version ${from} to ${style.bold(String(to))}`,
  ]);
  return 0;
}
