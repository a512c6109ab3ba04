import { readFileSync } from 'node:fs';

/** The version in the package's own package.json, which lies above this file, built or not. */
export function version(): string {
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('..', folder)) {
    const found = readPackage(new URL('package.json', folder));
    if (found?.name === 'loci' && found.version) return found.version;
    if (folder.pathname === '/') return 'unknown';
  }
}

function readPackage(url: URL): { name?: string; version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(url, 'utf8')) as { name?: string; version?: string };
  } catch {
    return undefined;
  }
}
