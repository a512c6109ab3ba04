import { rmSync } from 'node:fs';
import { canonicalJson } from '../../domain/canonical.ts';
import type { Change } from '../../domain/change.ts';
import { isMemoryEvent } from '../../domain/event.ts';
import type { Finding } from '../../domain/finding.ts';
import { redact } from '../../domain/hygiene/redact.ts';
import { redactionText, tally } from '../../domain/hygiene/redaction.ts';
import { contentKeyOf, isNativeId, memoryId } from '../../domain/identity.ts';
import { sha256 } from '../../domain/hash.ts';
import type { Memory, StoredMemory } from '../../domain/memory.ts';
import type { ParsedFile } from '../../domain/markdown/parse.ts';
import { isCrlf, renderFront } from '../../domain/markdown/render.ts';
import { purgedSubject, withoutPurged } from '../../domain/purge.ts';
import { toIso } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Database } from '../sqlite/drivers/driver.ts';
import { readHistory } from '../sqlite/reader.ts';
import { displacedBy } from './displaced.ts';
import { dropFile, fileAt, fileOf, MISSING, putFile, type FileRecord } from './files-table.ts';
import { adoptedMemory, editedMemory, judge, movedMemory } from './judge.ts';
import { agentAt, drawerAt, inVault, kindAt, nameOf } from './layout.ts';
import { loadParser } from './markdown.ts';
import { concludeMissing } from './missing.ts';
import { note, readDiskFile, render, storedById, wasEarlier, type DiskFile } from './work-files.ts';

/** What looking at files came to. */
export interface TakenUp {
  /** Events that people's hands made necessary. */
  readonly changes: Change[];
  /** By subject of a change: the file that shows it already. */
  readonly adopted: Map<string, { readonly path: string; readonly disk: DiskFile }>;
  /** Ids whose files have to be written. */
  readonly rewrite: Set<string>;
  /** By path: replaces what was found out about it before. */
  readonly findings: Map<string, Finding | undefined>;
}

export interface HandEditContext {
  readonly root: string;
  readonly database: Database;
  readonly isolated: boolean;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Whether conflict markers are a person's to settle. */
  readonly merging: boolean;
  /** After a power loss: files written since may have been lost. */
  readonly unsyncedSinceMs: number | undefined;
  /** Memories that were deleted for good, as `purgedSubject` names them. */
  readonly purged: ReadonlySet<string>;
}

interface Looking extends HandEditContext {
  readonly taken: TakenUp;
}

/**
 * Looks at files that may have changed and says what follows. Only notes about files are written
 * here; events are made by the caller, in the same lock.
 * @param paths files that are there, or were
 * @param acceptDeletions take files that are missing in numbers as deleted
 */
export async function takeUp(
  paths: readonly string[],
  context: HandEditContext,
  { acceptDeletions = false } = {},
): Promise<TakenUp> {
  const taken: TakenUp = {
    changes: [],
    adopted: new Map(),
    rewrite: new Set(),
    findings: new Map(),
  };
  const looking = { ...context, taken };
  const { database, root } = context;
  await loadParser();
  const { displaced, beside } = await displacedBy(paths, context);
  for (const { path } of displaced) dropFile(database, path);
  const absent: string[] = [];
  for (const path of [...paths, ...beside]) {
    taken.findings.set(path, undefined);
    taken.findings.set(aboutSecrets(path), undefined);
    const disk = readDiskFile(root, path);
    if (disk) await lookAt(path, disk, looking);
    else absent.push(path);
  }
  // Of a memory whose file gave way to another one's, none is left.
  for (const record of displaced) if (!fileOf(database, record.id)) remove(record, looking);
  // By now a file that was renamed has its new path on record.
  const gone = absent
    .map((path) => fileAt(database, path))
    .filter((record) => record !== undefined);
  const lost = gone.filter((record) => isUnsynced(record, context));
  for (const { id } of lost) taken.rewrite.add(id);
  const missing = gone.filter((record) => !lost.includes(record));
  if (!acceptDeletions) {
    const { removed, finding } = concludeMissing(missing, root, database);
    for (const record of removed) remove(record, looking);
    taken.findings.set('', finding);
    return taken;
  }
  for (const record of missing) remove(record, looking);
  taken.findings.set('', undefined);
  return taken;
}

async function lookAt(path: string, disk: DiskFile, looking: Looking): Promise<void> {
  const { database, root, taken, merging } = looking;
  if (disk.text === undefined) {
    const problem = disk.unreadable ? `it cannot be read (${disk.unreadable})` : 'it is not UTF-8';
    return report(path, { problem, line: 1 }, taken);
  }
  const { parseFile, hasConflictMarkers } = await loadParser();
  const record = fileAt(database, path);
  const known = record?.id ?? knownByName(path, database);
  if (known !== undefined && !merging && hasConflictMarkers(disk.text)) {
    // The log has been merged, and it knows better than two halves of a file.
    taken.rewrite.add(known);
    return;
  }
  if (record) return compare(path, disk, record, looking);
  const parsed = parseFile(disk.text);
  if ('problem' in parsed) {
    if (known === undefined || !isBlank(disk.text) || looking.unsyncedSinceMs === undefined) {
      return report(path, parsed, taken);
    }
    taken.rewrite.add(known);
    return;
  }
  const { id: declared } = parsed.fields;
  const id = declared !== undefined && isNativeId(declared) ? declared : nativeName(path);
  const current = id === undefined ? undefined : storedById(database, id);
  if (id === undefined || !current) return adopt(path, disk, parsed, looking);
  const elsewhere = fileOf(database, id);
  if (!elsewhere) return compare(path, disk, undefined, looking, id);
  if (readDiskFile(root, elsewhere.path)) {
    if (isUnsynced(elsewhere, looking) && wasEarlier(database, id, disk.text)) {
      return rmSync(inVault(root, path));
    }
    const problem = `it has the id of ${elsewhere.path}, ${id}`;
    return report(path, { problem, line: 1 }, taken);
  }
  // Renamed or moved by hand: the same memory under another name.
  const moved = { ...elsewhere, path };
  dropFile(database, elsewhere.path);
  putFile(database, moved);
  // Whose a memory is never changes: a file that was put into another drawer goes back.
  if (drawerAt(elsewhere.path) !== drawerAt(path)) taken.rewrite.add(id);
  return compare(path, disk, moved, looking, id, kindAt(elsewhere.path) !== kindAt(path));
}

/** What a file says against what was last written to it and what the memory is now. */
async function compare(
  path: string,
  disk: DiskFile,
  record: FileRecord | undefined,
  looking: Looking,
  id = (record as FileRecord).id,
  isMoved = false,
): Promise<void> {
  const { database, clock, taken, purged } = looking;
  const { parseFile } = await loadParser();
  const current = storedById(database, id);
  if (!current) return dropFile(database, path);
  const { text: content = '' } = disk;
  if (record && isUnsynced(record, looking) && disk.hash !== record.hash) {
    if (isBlank(content) || wasEarlier(database, id, content)) {
      taken.rewrite.add(id);
      return;
    }
  }
  const text = render(current);
  const verdict = judge(disk.hash, record, sha256(text), () => wasEarlier(database, id, content));
  if (verdict === 'write') {
    taken.rewrite.add(id);
    return;
  }
  if (verdict !== 'clean' && current.heads.length === 0) {
    const about = current.memory.relations[0]?.target ?? 'the memory it speaks of';
    return report(
      path,
      { problem: `it is derived; settle it by editing ${about}`, line: 1 },
      taken,
    );
  }
  const parsed = parseFile(content);
  if ('problem' in parsed) return report(path, parsed, taken);
  const now = toIso(clock.nowMs());
  const base = verdict === 'concurrent edit' ? showed(database, record) : undefined;
  const asWritten =
    verdict === 'clean' ? current.memory : editedMemory(base ?? current.memory, parsed, now);
  const edited = withoutPurged(asWritten, purged);
  if (edited !== asWritten && sameContent(edited, current.memory)) {
    // It only lags behind a purge that took something out of this memory.
    taken.rewrite.add(id);
    return;
  }
  const moved = isMoved ? movedMemory(edited, kindAt(path), now) : undefined;
  if (verdict === 'clean' && !moved) return note(database, path, current, disk);
  const data = moved?.memory ?? edited;
  noteSecrets(path, content, taken);
  taken.adopted.set(id, { path, disk });
  taken.changes.push({
    kind: moved?.kind ?? 'memory.edited',
    subject: id,
    data,
    reason: moved ? `moved to ${kindAt(path)} by hand` : 'edited by hand',
    ...frontOf(data, withoutPurged(parsed.front, purged), content),
    ...(verdict === 'concurrent edit' ? { base: record?.heads ?? [] } : {}),
  });
}

/** A file that no memory of ours stands behind becomes one, and keeps its name. */
function adopt(path: string, disk: DiskFile, parsed: ParsedFile, looking: Looking): void {
  const { ids, taken, purged, root } = looking;
  const asWritten = adoptedMemory(parsed, {
    folder: kindAt(path),
    agent: agentAt(path, parsed.fields.agent),
    name: nameOf(path),
    mtimeMs: disk.mtimeMs,
    newId: (parts) => memoryId({ ...parts, suffix: ids.suffix(6) }),
  });
  if (purged.has(purgedSubject(asWritten.id))) {
    // Under its own name it can only be what an editor or git put back: the tombstone wins.
    if (nameOf(path) === asWritten.id) return rmSync(inVault(root, path));
    return report(path, { problem: 'its id is that of a memory that was purged', line: 1 }, taken);
  }
  const memory = withoutPurged(asWritten, purged);
  const front = frontOf(memory, withoutPurged(parsed.front, purged), disk.text ?? '');
  const own = halfAdopted(memory, front, looking);
  if (own) return takeBack(path, disk, own, looking);
  if (taken.adopted.has(memory.id)) {
    return report(path, { problem: `another file has its id, ${memory.id}`, line: 1 }, taken);
  }
  noteSecrets(path, disk.text ?? '', taken);
  taken.adopted.set(memory.id, { path, disk });
  taken.changes.push({
    kind: 'memory.stored',
    subject: memory.id,
    data: memory,
    reason: ADDED,
    ...front,
  });
}

const ADDED = 'added by hand';

/**
 * The memory that a file became when whoever took it up died right after: its event is in the log, but
 * not where it came from, so that it was given a file of its own.
 */
function halfAdopted(
  memory: Memory,
  { front }: { front?: string },
  { database, isolated, root }: Looking,
): StoredMemory | undefined {
  const rows = database
    .prepare('SELECT id FROM memories WHERE content_key = ? ORDER BY doc LIMIT ?')
    .all(contentKeyOf(memory, isolated), MOST_TWINS);
  return rows
    .map((row) => storedById(database, row['id'] as string) as StoredMemory)
    .find(({ memory: known, front: block }) => {
      const record = fileOf(database, known.id);
      if (!record || nameOf(record.path) !== known.id || block !== front) return false;
      const [first, ...more] = readHistory(database, known.id);
      if (first?.reason !== ADDED || more.length > 0) return false;
      const same = { id: memory.id, created_at: memory.created_at };
      return (
        sameContent({ ...known, ...same }, memory) &&
        readDiskFile(root, record.path)?.hash === record.hash
      );
    });
}

/** Texts of one content that are looked through. */
const MOST_TWINS = 20;

function takeBack(
  path: string,
  { hash, size, mtimeMs }: DiskFile,
  { memory: { id }, heads }: StoredMemory,
  { database, root, taken }: Looking,
): void {
  const { path: own } = fileOf(database, id) as FileRecord;
  rmSync(inVault(root, own));
  putFile(database, { path, id, hash, heads, size, mtimeMs });
  taken.rewrite.add(id);
}

function sameContent(a: Memory, b: Memory): boolean {
  return canonicalJson({ ...a, updated_at: '' }) === canonicalJson({ ...b, updated_at: '' });
}

/** The block as its owner wrote it, unless it is word for word ours. */
function frontOf(memory: Memory, front: string, text: string): { front?: string } {
  const ours = renderFront(memory);
  if (front !== '') return front === ours ? {} : { front };
  const block = isCrlf(text) ? ours.replaceAll('\n', '\r\n') : ours;
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  return bom + block === ours ? {} : { front: bom + block };
}

function remove(record: FileRecord, { database, clock, taken }: Looking): void {
  const current = storedById(database, record.id);
  if (fileAt(database, record.path)?.id === record.id) dropFile(database, record.path);
  if (!current) return;
  const { memory, heads, front } = current;
  const isBehind = sha256(render(current)) !== record.hash && !sameHeads(heads, record.heads);
  if (isBehind || heads.length === 0) {
    taken.rewrite.add(record.id);
    return;
  }
  if (memory.status !== 'active' && memory.status !== 'draft') return;
  const data: Memory = {
    ...memory,
    status: 'archived',
    status_reason: 'removed by hand',
    updated_at: toIso(clock.nowMs()),
  };
  taken.changes.push({
    kind: 'memory.archived',
    subject: memory.id,
    data,
    reason: 'removed by hand',
    ...(front === undefined ? {} : { front }),
  });
}

/** Whether the system may have lost what was written to a file last; see power-loss. */
function isUnsynced(record: FileRecord, { unsyncedSinceMs }: HandEditContext): boolean {
  if (record.size === MISSING) return false;
  return unsyncedSinceMs !== undefined && record.mtimeMs >= unsyncedSinceMs;
}

/** What a file is that the system made but never filled. */
function isBlank(text: string): boolean {
  return text === '' || text.includes('\0');
}

function sameHeads(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((head, i) => head === b[i]);
}

function report(
  path: string,
  { problem, line }: { problem: string; line: number },
  taken: TakenUp,
): void {
  taken.findings.set(path, {
    check: 'files',
    severity: 'warning',
    message: `${path}, line ${line}: ${problem}`,
    hint: 'The file was left as it is. Mend it; it is read again when it changes.',
  });
}

/**
 * A file is its owner's, and what they write in it is taken up word for word, secrets too: said, not
 * changed. It stands beside what keeps a file from being read, which is known by the path alone.
 */
function noteSecrets(path: string, text: string, taken: TakenUp): void {
  const { kinds } = redact(text);
  if (kinds.length === 0) return;
  taken.findings.set(aboutSecrets(path), {
    check: 'secrets',
    severity: 'warning',
    message: `${path} seems to hold secrets: ${redactionText(tally(kinds))}`,
    hint: 'The file was left as it is. Take them out of it; the log keeps what it said before.',
  });
}

function aboutSecrets(path: string): string {
  return `secrets in ${path}`;
}

function nativeName(path: string): string | undefined {
  const name = nameOf(path);
  return isNativeId(name) ? name : undefined;
}

/** The memory that a file's name names, if its own file is nowhere else. */
function knownByName(path: string, database: Database): string | undefined {
  const name = nativeName(path);
  if (name === undefined || fileOf(database, name)) return undefined;
  return storedById(database, name)?.memory.id;
}

/** The memory as the file showed it when we last wrote it. */
function showed(database: Database, record: FileRecord | undefined): Memory | undefined {
  const head = record?.heads.at(-1);
  const events = record ? readHistory(database, record.id) : [];
  return events.filter(isMemoryEvent).find((event) => event.id === head)?.data;
}
