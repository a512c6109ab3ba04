import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { LociError } from '../../domain/errors.ts';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began, where the system tells: another may have its number by now. */
  readonly began: string;
}

const PAUSE_MS = 50;
/** Taking over the lock of a dead process takes no longer than this, milliseconds. */
const TAKEOVER_MS = 5000;

/**
 * Takes a lock file for this process. The file of a process that is no more is taken over.
 * @param waitMs how long to wait for whoever holds it
 * @returns gives it back
 * @throws LociError busy, naming the process that holds it
 */
export async function holdFile(file: string, what: string, waitMs: number): Promise<() => void> {
  const giveUpAt = performance.now() + waitMs;
  for (;;) {
    if (create(file)) return () => rmSync(file, { force: true });
    const holder = read(file);
    if (holder && isAlive(holder)) {
      if (performance.now() > giveUpAt) throw held(what, holder, file);
    } else takeAway(file);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * Math.random()));
  }
}

function held(what: string, { pid, host }: Holder, file: string): LociError {
  const where = host === hostname() ? '' : ` on ${host}`;
  return new LociError(
    'busy',
    `${what} is held by pid ${pid}${where}`,
    host === hostname()
      ? 'PGlite serves one process at a time. Stop that one, or use a PostgreSQL server.'
      : `If that machine does not use it any more, delete ${file}.`,
  );
}

function create(file: string): boolean {
  const holder: Holder = { pid: process.pid, host: hostname(), began: beganAt(process.pid) };
  try {
    writeFileSync(file, JSON.stringify(holder), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Undefined where there is none, or one that was not finished: its maker died. */
function read(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, host, began }: Holder): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return beganAt(pid) === began;
}

/** Ticks since the system started; '' where the system does not tell. */
function beganAt(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in parentheses and may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** Removes the file of a dead process. One does it at a time, and looks again before. */
function takeAway(file: string): void {
  const turn = `${file}.takeover`;
  try {
    mkdirSync(turn);
  } catch {
    const age = Date.now() - (statSync(turn, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > TAKEOVER_MS) rmdirSync(turn);
    return;
  }
  try {
    const holder = read(file);
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    // One that cannot be read may be about to be written.
    if (holder ? !isAlive(holder) : age > TAKEOVER_MS) rmSync(file, { force: true });
  } finally {
    rmdirSync(turn);
  }
}
