import { keepAgentsApart, resolveConfig } from '../../../config.ts';
import type { MigrateIsolationOptions, MigrateIsolationResult } from '../../../domain/sharing.ts';
import { flagsOf, type Invocation } from '../invocation.ts';
import { withStore } from '../open-store.ts';
import { answer } from '../print/print.ts';
import type { Page } from '../print/page.ts';
import { progressBar } from '../terminal/progress.ts';

export interface MigrateIsolationCommandOptions {
  readonly strategy?: string;
  /** A flag, whatever its type says of the others. */
  readonly dryRun?: unknown;
}

type Answer = MigrateIsolationResult & {
  /** The file that keeps agents apart from now on; null where a variable has to say it. */
  readonly config: string | null;
};

/** `migrate-isolation`: keeps agents apart from now on, and settles what becomes of what is there. */
export async function runMigrateIsolation(
  { strategy, dryRun }: MigrateIsolationCommandOptions,
  outer: Invocation,
): Promise<number> {
  const invocation = { ...outer, isolation: 'per-agent' };
  const { shell, shared } = invocation;
  const { store } = await resolveConfig({
    flags: flagsOf(invocation),
    env: shell.env,
    cwd: shell.cwd,
  });
  const isDry = dryRun === true;
  const bar = progressBar(shell, 'migrate-isolation', shared.quiet === true);
  const options = { strategy, dryRun: isDry } as MigrateIsolationOptions;
  const result = await withStore(invocation, (loci) =>
    loci.migrateIsolation(options, (done, total) => bar.update(done, total)),
  ).finally(() => bar.clear());
  const config = store.kind === 'vault' && !isDry ? keepAgentsApart(store.path) : null;
  answer({ ...result, config }, invocation, print);
  return 0;
}

function print(result: Answer, { style }: Page): string[] {
  const { private: own, shared, archived, copied, run, dry_run, config } = result;
  return [
    ...(dry_run ? ['Nothing was written.'] : []),
    `${own} memories in drawers of agents, ${shared} shared`,
    ...(archived > 0 ? [`${archived} set aside${run ? ` by run ${run}` : ''}`] : []),
    ...(copied > 0 ? [`${copied} copied into the shared drawer`] : []),
    ...(dry_run
      ? []
      : [
          config === null
            ? style.yellow('Set LOCI_ISOLATION=per-agent wherever this store is opened.')
            : `Agents are kept apart from now on: ${config}`,
        ]),
  ];
}
