import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { resolveConfig } from '../../../config.ts';
import { LociError } from '../../../domain/errors.ts';
import { flagsOf, type Invocation } from '../invocation.ts';
import { openStore } from '../open-store.ts';
import { answer } from '../print/print.ts';

/** `init`: makes a store, by default `.loci` in the current folder; one that is there stays. */
export async function runInit(dir: string | undefined, invocation: Invocation): Promise<number> {
  const { env, cwd } = invocation.shell;
  const flags = flagsOf(invocation);
  if (dir !== undefined && flags.store !== undefined) {
    throw new LociError(
      'invalid_input',
      'init has both a folder and --dir or --store',
      'Give one of them.',
    );
  }
  const asked = await resolveConfig({ flags: { ...flags, store: dir ?? flags.store }, env, cwd });
  if (asked.store.kind === 'postgres') {
    throw new LociError(
      'invalid_input',
      `${asked.store.url} is a database, which init does not make`,
      'Make it on its server, then run loci setup with the same --store.',
    );
  }
  const isNamed = ['flag', 'environment', '.env'].includes(asked.origins.store);
  const name = isNamed ? asked.store.url : join(cwd, '.loci');
  const path = isNamed ? asked.store.path : name;
  const existed = existsSync(path) && (statSync(path).isFile() || readdirSync(path).length > 0);
  const store = await openStore(invocation, name, { create: true });
  const result = { store: store.location, created: !existed };
  await store.close();
  answer(result, invocation, ({ store: location, created }, { style }) => [
    `${created ? 'Made' : 'There is already'} ${style.bold(location)}`,
  ]);
  return 0;
}
