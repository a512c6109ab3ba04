import { existsSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ImportPeer } from '../../../src/models/embedders/peers.ts';

/** A folder whose node_modules holds the optional packages; test/setup.ts keeps it from LOCI_TEST_PEERS. */
const folder = process.env.TEST_PEERS ?? '';

/** Why tests that need a package are skipped; undefined where it is installed. */
export function whyNot(name: string): string | undefined {
  if (folder === '') return `LOCI_TEST_PEERS names no folder with ${name}`;
  return existsSync(join(folder, 'node_modules', name)) ? undefined : `${folder} has no ${name}`;
}

let loading: Promise<ImportPeer> | undefined;

/** Imports from that folder as a program that lies there does. */
export const importPeer: ImportPeer = async (name) => (await (loading ??= loader()))(name);

async function loader(): Promise<ImportPeer> {
  const place = mkdtempSync(join(tmpdir(), 'loci-peers-'));
  symlinkSync(join(folder, 'node_modules'), join(place, 'node_modules'), 'junction');
  const file = join(place, 'load.mjs');
  writeFileSync(file, 'export const load = (name) => import(name);\n');
  const { load } = (await import(pathToFileURL(file).href)) as { load: ImportPeer };
  return load;
}
