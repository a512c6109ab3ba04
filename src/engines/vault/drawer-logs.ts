import { join } from 'node:path';
import { isMemoryEvent, type LogEvent } from '../../domain/event.ts';
import { Rechain } from '../../domain/exchange/rechain.ts';
import { sha256 } from '../../domain/hash.ts';
import { newTo } from '../sqlite/log-life.ts';
import { drawerAt, LOG, pathOf } from './layout.ts';
import { LogFile, NOTHING_READ } from './log-file.ts';
import type { Vault } from './vault.ts';
import { drawersOf } from './work-files.ts';

/**
 * Joins the logs that another program, or a vault that was put there, has left in the drawers of
 * agents: there is one log. What is no event of ours, or of another drawer, is reported and left.
 * @returns whether something was appended to the log, which is then to be read on
 */
export async function joinDrawerLogs(vault: Vault): Promise<boolean> {
  let joined = false;
  for (const drawer of drawersOf(vault.root)) {
    const path = `${drawer}${LOG}`;
    const log = new LogFile(join(vault.root, path));
    if (!log.stat()) continue;
    const { events, foreign } = log.readFrom(NOTHING_READ);
    const own = events.filter((event) => belongsTo(drawer, event));
    const left = foreign + events.length - own.length;
    const { fresh } = newTo(vault.index.store, own);
    if (fresh.length > 0) {
      const chain = new Rechain(sha256(fresh.map(({ id }) => id).join(' ')));
      const lines = fresh.map((event) => JSON.stringify(chain.next(event)));
      await vault.log.append(lines, vault.index.mark);
      joined = true;
    }
    if (left === 0) continue;
    vault.findings.set(path, {
      check: 'log',
      severity: 'info',
      message: `${path} holds ${left} lines that are no events of this drawer; they are kept, and its files count`,
    });
  }
  return joined;
}

function belongsTo(drawer: string, event: LogEvent): boolean {
  return isMemoryEvent(event) && `${drawerAt(pathOf(event.data, true))}/` === drawer;
}
