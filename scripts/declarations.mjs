// Turns tsc's declarations into the ones that are published.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const SPECIFIER = /(\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"]+)\2/g;

/**
 * Copies the declarations that the entry reaches; `.ts` in their imports becomes `.js`, which tsc
 * does in code but not in declarations. Fails when the public types need a package, since bundled
 * packages are not installed beside ours.
 * @param {string} from folder that tsc wrote
 * @param {string} to folder to publish
 * @param {string} entry a file's path inside both
 */
export async function publishDeclarations(from, to, entry) {
  const reached = new Set([entry]);
  for (const path of reached) {
    const text = await readFile(join(from, path), 'utf8');
    for (const [, , , specifier = ''] of text.matchAll(SPECIFIER)) {
      if (specifier.startsWith('.'))
        reached.add(join(dirname(path), specifier.replace(/\.ts$/, '.d.ts')));
      else if (!specifier.startsWith('node:'))
        throw new Error(`the public types need the package ${specifier} (in ${path})`);
    }
    await mkdir(dirname(join(to, path)), { recursive: true });
    await writeFile(join(to, path), text.replace(SPECIFIER, compiledName));
  }
}

/** @param {string} whole @param {string} lead @param {string} mark @param {string} specifier */
function compiledName(whole, lead, mark, specifier) {
  if (!specifier.startsWith('.')) return whole;
  return `${lead}${mark}${specifier.replace(/\.ts$/, '.js')}${mark}`;
}
