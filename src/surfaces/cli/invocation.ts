import type { Flags } from '../../config.ts';
import { LociError } from '../../domain/errors.ts';
import type { SharedOptions } from './options.ts';
import type { Shell } from './shell.ts';
import { plain } from './terminal/plain.ts';

/** One call of one command. */
export interface Invocation {
  readonly shell: Shell;
  readonly shared: SharedOptions;
  /** What was said on stderr already. */
  readonly said: Set<string>;
  /** An embedder that this command names. */
  readonly embedder?: string;
  /** A way of keeping agents that this command asks for. */
  readonly isolation?: string;
}

/** What the command line says about store, project and agent. */
export function flagsOf({ shared, embedder, isolation }: Invocation): Flags {
  const { dir, store, project, agent, zone } = shared;
  if (dir !== undefined && store !== undefined) {
    throw new LociError(
      'invalid_input',
      'Both --dir and --store name a store',
      'Give one of them.',
    );
  }
  return {
    store: dir ?? store,
    project,
    agent,
    zone,
    ...(embedder === undefined ? {} : { embedder }),
    ...(isolation === undefined ? {} : { isolation }),
  };
}

/** Says something on stderr, once, that is no part of the answer. */
export function notice({ shell, shared, said }: Invocation, text: string): void {
  if (shared.quiet || said.has(text)) return;
  said.add(text);
  shell.err.write(`${shell.err.style.yellow('note:')} ${plain(text)}\n`);
}
