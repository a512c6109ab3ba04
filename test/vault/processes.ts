import { bundled, run, type Running } from '../engines/processes.ts';
import type { Plan } from './fixtures/write.ts';

export { holdLock, type Running } from '../engines/processes.ts';

let script: Promise<string> | undefined;

/** Starts a process that writes to a vault as planned. */
export async function writer(root: string, plan: Plan): Promise<Running> {
  script ??= bundled('../../vault/fixtures/write.ts');
  return run(await script, root, JSON.stringify(plan));
}

/** Runs it to its end: the exit code or signal, and what it has acknowledged. */
export async function written(
  root: string,
  plan: Plan,
): Promise<{ end: number | string; ids: readonly string[] }> {
  const { ended, lines } = await writer(root, plan);
  return { end: await ended, ids: lines };
}
