import { LociError } from '../domain/errors.ts';
import type { Engine } from '../ports/engine.ts';

/**
 * What lies in the drawer of one agent would be open to all of them in a store without drawers.
 * @throws LociError conflict
 */
export function requireDrawers(source: { what: string; isolated: boolean }, target: Engine): void {
  if (!source.isolated || target.isolated) return;
  throw new LociError(
    'conflict',
    `${source.what} keeps agents apart, and ${target.location} does not`,
    'Write isolation: per-agent into its config.yaml, or set LOCI_ISOLATION=per-agent.',
  );
}
