import { realpathSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Where a replica lives. A store that wakes up at another place is a copy: it gets a replica id of
 * its own, so that two copies never give out the same sequence number.
 */
export function homeOf(path: string): string {
  return `${hostname()}:${realpathSync(path)}`;
}
