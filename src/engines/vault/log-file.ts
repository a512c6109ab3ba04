import {
  appendFileSync,
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { coversOf } from '../../domain/compaction.ts';
import { LociError } from '../../domain/errors.ts';
import { EVENT_VERSION, type LogEvent } from '../../domain/event.ts';
import { sha256 } from '../../domain/hash.ts';
import { storeError } from '../shared/store-error.ts';

const sync = promisify(fdatasync);

/** How far somebody has read a log, and what stood last there. */
export interface LogMark {
  readonly ino: number;
  /** Of its last change: another file of the same size may be given the same inode. */
  readonly mtimeMs: number;
  readonly offset: number;
  /** Where the last line read begins. */
  readonly lastStart: number;
  readonly lastHash: string;
}

export const NOTHING_READ: LogMark = {
  ino: 0,
  mtimeMs: 0,
  offset: 0,
  lastStart: 0,
  lastHash: '',
};

export interface LogPart {
  readonly events: readonly LogEvent[];
  /** The lines of the events, as they stand. */
  readonly lines: readonly string[];
  readonly mark: LogMark;
  /** Lines that are no events of ours: kept in the file, read as nothing. */
  readonly foreign: number;
  /** Other versions of these events: git joined a log with one that was written anew. */
  readonly repeated: readonly LogEvent[];
  /** Bytes of a torn end: a line or a transaction that was never finished. */
  readonly torn: number;
}

const SIZES = { chunk: 1 << 20 };

/** The append-only log of a vault. Whoever changes it holds the vault's lock. */
export class LogFile {
  readonly path: string;
  #fd: number | undefined;
  #broken: LociError | undefined;

  constructor(path: string) {
    this.path = path;
  }

  stat(): { size: number; ino: number; mtimeMs: number } | undefined {
    return statSync(this.path, { throwIfNoEntry: false });
  }

  /** Whether nothing has been written since a mark was taken at the end of the file. */
  endsAt({ ino, mtimeMs, offset }: LogMark, stat = this.stat()): boolean {
    return stat?.size === offset && stat.ino === ino && stat.mtimeMs === mtimeMs;
  }

  /**
   * Appends lines and makes them durable with one sync; after a short write the file is cut back.
   * If the path becomes another file meanwhile, they are appended there too.
   * @param from the end of the log as it was read; where the file is not as it was, the mark that
   * is returned holds for no file: what else stands there has to be compared
   * @throws LociError unavailable; after a failed sync for every further call, because nobody
   * knows what is on disk; corrupt when the file is gone
   */
  async append(lines: readonly string[], from: LogMark): Promise<LogMark> {
    if (this.#broken) throw this.#broken;
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    for (;;) {
      const fd = this.#open();
      const before = fstatSync(fd);
      requireSpace(this.path, bytes.length);
      this.#write(fd, bytes, before.size);
      try {
        await sync(fd);
      } catch (error) {
        cutBack(fd, before.size);
        const hint = 'Writes are refused until the store is opened again. Check the disk.';
        const message = `${this.path}: the disk did not confirm a write`;
        this.#broken = new LociError('unavailable', message, hint, { cause: error });
        throw this.#broken;
      }
      const { ino, size, mtimeMs } = fstatSync(fd);
      const last = lines.at(-1) as string;
      if (this.stat()?.ino === ino) {
        const isSame = before.size === 0 || before.ino === from.ino;
        const isKnown = isSame && before.size === from.offset;
        const lastStart = size - Buffer.byteLength(last) - 1;
        const lastHash = isKnown ? sha256(last) : '';
        return { ino: isKnown ? ino : 0, mtimeMs, offset: size, lastStart, lastHash };
      }
      this.close();
    }
  }

  /** Puts a whole log in the place of one that is gone: all of it or nothing. */
  async restore(lines: readonly string[]): Promise<void> {
    const temporary = new LogFile(`${this.path}.new`);
    rmSync(temporary.path, { force: true });
    appendFileSync(temporary.path, '');
    if (lines.length > 0) await temporary.append(lines, NOTHING_READ);
    temporary.close();
    renameSync(temporary.path, this.path);
  }

  /**
   * Puts another version in the place of the log, in one step that is on the disk when this returns.
   * @param change what becomes of a line; `event` is undefined for a line that is none of ours
   * @param more lines at the end
   */
  rewrite(
    change: (line: string, event: LogEvent | undefined) => string | undefined,
    more: readonly string[] = [],
  ): void {
    const lines = this.#read(0, this.stat()?.size ?? 0)
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => change(line, parseEvent(line, this.path)) ?? []);
    const folder = dirname(this.path);
    const temporary = join(folder, '.loci-tmp-log');
    const text = [...lines, ...more].map((line) => `${line}\n`).join('');
    requireSpace(this.path, Buffer.byteLength(text));
    writeFileSync(temporary, text, { flush: true });
    this.close();
    renameSync(temporary, this.path);
    syncFolder(folder);
  }

  /** Whether what a mark describes still stands where it was. */
  holds(mark: LogMark): boolean {
    const stat = this.stat();
    if (!stat || stat.size < mark.offset) return false;
    if (mark.offset === 0) return true;
    const bytes = this.#read(mark.lastStart, mark.offset);
    return bytes.at(-1) === 0x0a && sha256(bytes.subarray(0, -1)) === mark.lastHash;
  }

  /**
   * Everything after a mark. Nothing is changed: `mend` cuts off what is torn.
   * @throws LociError unsupported for events of a newer program
   */
  readFrom(from: LogMark): LogPart {
    const stat = this.stat();
    const end = stat?.size ?? 0;
    const bytes = end > from.offset ? this.#read(from.offset, end) : Buffer.alloc(0);
    const events: LogEvent[] = [];
    const lines: string[] = [];
    const starts: number[] = [];
    let foreign = 0;
    let position = 0;
    let last = from;
    let lastLine: Buffer | undefined;
    const { ino = 0, mtimeMs = 0 } = stat ?? {};
    while (position < bytes.length) {
      const newline = bytes.indexOf(0x0a, position);
      const stop = newline < 0 ? bytes.length : newline;
      const raw = bytes.subarray(position, stop);
      const text = raw.toString('utf8').replace(/\r$/, '');
      const event = parseEvent(text, this.path);
      if (newline < 0 && !event && !isJson(text)) break;
      if (event) {
        events.push(event);
        lines.push(text);
        starts.push(from.offset + position);
      } else if (text.trim() !== '') {
        foreign += 1;
      }
      last = {
        ino,
        mtimeMs,
        offset: from.offset + (newline < 0 ? stop : stop + 1),
        lastStart: from.offset + position,
        lastHash: '',
      };
      lastLine = raw;
      position = newline < 0 ? stop : stop + 1;
    }
    const whole = wholeTransactions(events);
    if (whole < events.length) {
      const offset = starts[whole] as number;
      const mark = this.#markAt(from, offset, bytes);
      const kept = distinct(events.slice(0, whole), lines.slice(0, whole));
      return { ...kept, mark, foreign, torn: end - offset };
    }
    const lastHash = lastLine ? sha256(lastLine) : last.lastHash;
    const mark = { ...last, lastHash, ino, mtimeMs };
    return { ...distinct(events, lines), mark, foreign, torn: end - last.offset };
  }

  /**
   * Sets a torn end aside and cuts it off, or ends a last line that lacks only its newline.
   * @param tornPath where the bytes that are cut off are kept
   * @returns the mark of the end as it is now
   */
  mend(mark: LogMark, torn: number, tornPath: string): LogMark {
    if (torn > 0) {
      appendFileSync(tornPath, Buffer.concat([this.#read(mark.offset, mark.offset + torn), NL]));
      truncateSync(this.path, mark.offset);
    }
    if (mark.offset > 0 && this.#read(mark.offset - 1, mark.offset)[0] !== 0x0a) {
      appendFileSync(this.path, '\n');
    }
    const { size = 0, ino = 0, mtimeMs = 0 } = this.stat() ?? {};
    return { ...mark, offset: size, ino, mtimeMs };
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #markAt(from: LogMark, offset: number, bytes: Buffer): LogMark {
    if (offset === from.offset) return from;
    const before = bytes.subarray(0, offset - from.offset - 1);
    const start = before.lastIndexOf(0x0a) + 1;
    const lastHash = sha256(before.subarray(start));
    const { ino = 0, mtimeMs = 0 } = this.stat() ?? {};
    return { ino, mtimeMs, offset, lastStart: from.offset + start, lastHash };
  }

  #open(): number {
    if (this.#fd !== undefined && fstatSync(this.#fd).ino !== this.stat()?.ino) this.close();
    try {
      // Never made here: an empty log in the place of one that is gone would hide that it is.
      this.#fd ??= openSync(this.path, constants.O_WRONLY | constants.O_APPEND);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw storeError(error, this.path);
      throw new LociError('corrupt', `${this.path} is gone`, 'Nothing was stored. Try again.');
    }
    return this.#fd;
  }

  #write(fd: number, bytes: Buffer, knownSize: number): void {
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
    } catch (error) {
      cutBack(fd, knownSize);
      throw storeError(error, this.path);
    }
  }

  #read(from: number, to: number): Buffer {
    const fd = openSync(this.path, 'r');
    try {
      const bytes = Buffer.allocUnsafe(to - from);
      let done = 0;
      while (done < bytes.length) {
        const length = Math.min(SIZES.chunk * 16, bytes.length - done);
        const n = readSync(fd, bytes, done, length, from + done);
        if (n === 0) break;
        done += n;
      }
      return bytes.subarray(0, done);
    } finally {
      closeSync(fd);
    }
  }
}

const NL = Buffer.from('\n');

/** What index and files may need beyond the events themselves. */
const RESERVE_BYTES = 256 * 1024;

/** An event is appended only where index and files can follow it. */
function requireSpace(path: string, bytes: number): void {
  const { blocks, bavail, bsize } = statfsSync(path);
  // Some file systems do not say how large they are.
  if (blocks === 0 || bavail * bsize > 4 * bytes + RESERVE_BYTES) return;
  throw new LociError(
    'unavailable',
    `${path}: the disk is full`,
    'Free some space. Nothing was stored.',
  );
}

/** The new name of a file outlives a power loss then; some systems do not know this. */
function syncFolder(path: string): void {
  try {
    const fd = openSync(path, 'r');
    fsyncSync(fd);
    closeSync(fd);
  } catch {
    // The file itself is on the disk.
  }
}

function cutBack(fd: number, size: number): void {
  try {
    ftruncateSync(fd, size);
  } catch {
    // What is torn will be cut off by whoever reads the log next.
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function parseEvent(line: string, path: string): LogEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const event = value as Partial<LogEvent>;
  if (typeof event.v !== 'number') return undefined;
  if (event.v > EVENT_VERSION) {
    throw new LociError(
      'unsupported',
      `${path} holds events of version ${event.v}; this program knows version ${EVENT_VERSION}`,
      'Nothing was changed. Update Loci on this machine.',
    );
  }
  const known = event.v === EVENT_VERSION && typeof event.id === 'string';
  return known && typeof event.subject === 'string' ? (event as LogEvent) : undefined;
}

/** Each event once: the version that stands for others, or that something was taken out of. */
function distinct(
  events: readonly LogEvent[],
  lines: readonly string[],
): Pick<LogPart, 'events' | 'lines' | 'repeated'> {
  const places = new Map<string, number>();
  const kept = { events: [] as LogEvent[], lines: [] as string[], repeated: [] as LogEvent[] };
  for (const [i, event] of events.entries()) {
    const place = places.get(event.id);
    const other = place === undefined ? undefined : kept.events[place];
    if (place === undefined || !other) {
      places.set(event.id, kept.events.length);
      kept.events.push(event);
      kept.lines.push(lines[i] as string);
    } else if (rank(event) > rank(other)) {
      kept.events[place] = event;
      kept.lines[place] = lines[i] as string;
      kept.repeated.push(other);
    } else {
      kept.repeated.push(event);
    }
  }
  return kept;
}

function rank({ scrubbed, folds }: LogEvent): number {
  return (scrubbed === undefined ? 0 : 2) + (folds === undefined ? 0 : 1);
}

/** How many events stand before a last transaction that is not all there; `compact` leaves gaps. */
function wholeTransactions(events: readonly LogEvent[]): number {
  const last = events.at(-1);
  if (!last) return 0;
  if (last.rseq <= (coversOf(events)[last.replica]?.rseq ?? 0)) return events.length;
  let first = events.length;
  while (first > 0 && events[first - 1]?.tx === last.tx) first -= 1;
  const there = events.length - first;
  return there < last.n && events[first]?.i === 0 ? first : events.length;
}
