import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LINE = 'isolation: per-agent';

/**
 * Writes into a vault's `config.yaml` that its agents are kept apart; every other line stays.
 * @returns the path of the file
 */
export function keepAgentsApart(vault: string): string {
  const path = join(vault, 'config.yaml');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const set = /^isolation:.*$/m;
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  const changed = set.test(text) ? text.replace(set, LINE) : `${ended}${LINE}\n`;
  mkdirSync(vault, { recursive: true });
  writeFileSync(`${path}.part`, changed);
  renameSync(`${path}.part`, path);
  return path;
}
