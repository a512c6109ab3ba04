import type { Finding } from '../../domain/finding.ts';
import { isLive } from '../../domain/lifecycle.ts';
import type { Verification } from '../../ports/log-life.ts';
import { checkEvidence } from '../shared/check-evidence.ts';
import { checkLog } from '../shared/check-log.ts';
import { readAll, readMemories } from '../sqlite/reader.ts';
import { hasEvidence } from './evidence.ts';
import { fileOf } from './files-table.ts';
import { LOG } from './layout.ts';
import { NOTHING_READ } from './log-file.ts';
import { loadParser } from './markdown.ts';
import type { Vault } from './vault.ts';
import { listFiles, readDiskFile, render } from './work-files.ts';

/**
 * Checks the log against itself, the index against the log, every file against the index, and vectors
 * against what was made of them.
 */
export async function checkVault(vault: Vault): Promise<Verification> {
  await vault.catchUp();
  const { store, vectors } = vault.index;
  const log = checkLogFile(vault);
  const index = store.check().filter(({ check }) => check === 'index');
  const files = await checkFiles(vault);
  const reported = [...vault.findings.values()].filter(({ severity }) => severity !== 'info');
  const evidence = checkEvidence(readMemories(store.database), (hash) =>
    hasEvidence(vault.root, hash),
  );
  const problems = [...log, ...index, ...files, ...evidence, ...vectors.check()];
  const messages = new Set(problems.map(({ message }) => message));
  problems.push(...reported.filter(({ message }) => !messages.has(message)));
  const of = (check: string): boolean => !problems.some((problem) => problem.check === check);
  return {
    stateHash: store.stateHash(),
    logOk: of('log'),
    filesOk: of('files'),
    indexOk: of('index'),
    problems,
  };
}

function checkLogFile(vault: Vault): Finding[] {
  if (!vault.log.stat()) return [];
  const { events } = vault.log.readFrom(NOTHING_READ);
  const findings = checkLog(events);
  const known = Number(
    vault.index.store.database.prepare('SELECT count(*) AS n FROM events').get()?.['n'],
  );
  const distinct = new Set(events.map(({ id }) => id)).size;
  if (known !== distinct) {
    const message = `${LOG} holds ${distinct} events, the index knows ${known}`;
    findings.push({ check: 'index', severity: 'error', message, hint: 'Run: loci reindex' });
  }
  return findings;
}

async function checkFiles(vault: Vault): Promise<Finding[]> {
  const { database } = vault.index.store;
  const findings: Finding[] = [];
  const listed = new Set(listFiles(vault.root, vault.isolated));
  const problem = (message: string, ids: readonly string[] = []): void => {
    const hint = 'Take the change up with: loci reindex, or restore the file with: loci replay';
    findings.push({ check: 'files', severity: 'error', message, hint, ids });
  };
  for (const stored of readAll(database)) {
    const { id, status } = stored.memory;
    const record = fileOf(database, id);
    const disk = record && readDiskFile(vault.root, record.path);
    if (record) listed.delete(record.path);
    if (!disk) {
      if (isLive(status)) problem(`the file of ${id} is missing`, [id]);
      continue;
    }
    if (stored.front !== undefined) await loadParser();
    if (render(stored) !== disk.text) problem(`${record.path} does not show ${id} as it is`, [id]);
  }
  for (const path of listed) {
    if (vault.findings.has(path) || !readDiskFile(vault.root, path)) continue;
    problem(`${path} is not taken up`);
  }
  return findings;
}
