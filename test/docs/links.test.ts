import { existsSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { pages, readPage, ROOT } from './pages.ts';

const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g;

/** A heading's anchor as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

function anchors(text: string): string[] {
  const prose = text.replace(/^```[^]*?^```$/gm, '');
  return [...prose.matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

test.each(pages())('the links of %s lead somewhere', (page) => {
  const text = readPage(page);
  const prose = text.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
  const broken = [...prose.matchAll(LINK)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : posix.join(dirname(page), path);
      if (!existsSync(join(ROOT, file))) return true;
      return anchor !== undefined && !anchors(readPage(file)).includes(anchor);
    });
  expect(broken).toEqual([]);
});

test('every page is in the index, and in its list of decisions', () => {
  const links = readPage('docs/index.md').matchAll(LINK);
  const listed = new Set([...links].map(([, target = '']) => target));
  const wanted = pages()
    .filter((page) => page.startsWith('docs/') && page !== 'docs/index.md')
    .map((page) => page.slice('docs/'.length));
  expect(wanted.filter((page) => !listed.has(page))).toEqual([]);
});
