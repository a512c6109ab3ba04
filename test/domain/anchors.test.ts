import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { citePath, citeText, parseCite } from '../../src/domain/anchors/cite.ts';
import { findCites } from '../../src/domain/anchors/find.ts';
import { anchored, judgeCite } from '../../src/domain/anchors/judge.ts';
import { nextCites } from '../../src/domain/anchors/next.ts';
import { findSymbol } from '../../src/domain/anchors/symbol.ts';
import { wildText } from '../wild-text.ts';

describe('[I3] a cite', () => {
  test.each([
    ['src/a.ts', { path: 'src/a.ts' }],
    ['./src/a.ts', { path: 'src/a.ts' }],
    ['src/', { path: 'src' }],
    ['src/a.ts#name', { path: 'src/a.ts', symbol: 'name' }],
    ['src/a.ts#Store.open', { path: 'src/a.ts', symbol: 'Store.open' }],
    ['lib/a.rb#Store#open?', { path: 'lib/a.rb', symbol: 'Store#open?' }],
    ['src/a.rs#store::open', { path: 'src/a.rs', symbol: 'store::open' }],
    ['src/a.ts:12', { path: 'src/a.ts', lines: '12' }],
    ['src/a.ts:12-40', { path: 'src/a.ts', lines: '12-40' }],
    ['src/a.ts#L12-L40', { path: 'src/a.ts', lines: '12-40' }],
    ['src/a.ts:12-12', { path: 'src/a.ts', lines: '12' }],
    ['commit 1a2b3c4', { commit: '1a2b3c4' }],
    ['docs/a b.md', { path: 'docs/a b.md' }],
  ])('%s', (text, cite) => {
    expect(parseCite(text)).toEqual(cite);
    expect(parseCite(citeText(cite))).toEqual(cite);
  });

  test.each([
    '',
    '#name',
    'src/a.ts:',
    'src/a.ts:0',
    'src/a.ts:40-12',
    'src/a.ts#',
    'src/a.ts#a b',
  ])('is not %j', (text) => expect(parseCite(text)).toBeUndefined());

  test.each([
    '../../out',
    'notes/..',
    'a/../../b',
    '..\\..\\x',
    '/etc/hosts',
    'C:/Windows/win.ini',
    '~/.ssh/id_rsa',
    '.git/config',
    'a/.GIT/hooks/x',
    'a//b',
    'a\u0000b',
    `${'a/'.repeat(200)}b`,
  ])('[S1] is no way out: %j', (text) => {
    expect(citePath(text)).toBeUndefined();
    expect(parseCite(text)).toBeUndefined();
    expect(parseCite(`${text}#name`)).toBeUndefined();
  });
});

const found = (text: string): string[] => findCites(text).map(citeText);

describe('[I3] in a text', () => {
  test.each([
    ['The retry is in src/net/retry.ts:12-40, see there.', ['src/net/retry.ts:12-40']],
    ['It fails at src/a.ts:12:5: error', ['src/a.ts:12']],
    ['(a.py:3) and `lib/b.go:7`', ['lib/b.go:7', 'a.py:3']],
    ['`src/a.ts` and `src/a.ts#open`, `Makefile`, `npm test`', ['src/a.ts', 'src/a.ts#open']],
    ['Fixed in commit 1a2b3c4 and commit `DEADBEEF01`.', ['commit 1a2b3c4', 'commit deadbeef01']],
    ['Without backticks src/a.ts is a word; so are and/or.', []],
    ['https://example.org/a/b.html:80 and git@host:Org/Repo.git', []],
    ['commit defaced, commit 12, 1a2b3c4', []],
    ['`../../etc/passwd` ../x/a.ts:3 `/etc/hosts`', []],
    ['`a=b` `1.5` `x.y()` `$HOME/x`', ['$HOME/x']],
  ])('%s', (text, cites) => {
    expect(found(text)).toEqual(cites);
  });

  test('no more than twenty are kept', () => {
    const text = Array.from({ length: 50 }, (_, i) => `src/a.ts:${i + 1}`).join(' ');
    expect(found(text)).toHaveLength(20);
  });

  test('any text is searched, in time that grows with its length', () => {
    fc.assert(
      fc.property(wildText, (text) => {
        for (const cite of findCites(text)) expect(parseCite(citeText(cite))).toEqual(cite);
      }),
      { numRuns: 300, seed: 20_260_309 },
    );
    const start = performance.now();
    for (const part of ['a/', 'a.', 'a+', 'a.b:', '`', '`a/', 'commit '])
      findCites(part.repeat(50_000));
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

const TYPESCRIPT = `import { x } from './x.ts';

/** Opens. */
export async function open(
  path: string,
): Promise<void> {
  await load(path);

  return;
}

export const LIMIT = 5;
const table = {
  one: 1,
  two: 2,
};

export class Store<T> extends Base {
  readonly size: number = 3;

  constructor(path: string) {
    super(path);
  }

  async close(): Promise<void> {
    await open('x');
  }
}

export type Kind = 'a' | 'b';
export interface Shape {
  open(): void;
}
export const later = async (name: string) => {
  open(name);
};`;

const PYTHON = `import os

LIMIT = 5

class Store:
    """Keeps."""

    def open(
        self,
        path,
    ):
        return load(path)

    async def close(self):
        pass

def open(path):
    if path:
        return 1

    return 2
`;

const GO = `package store

type Store struct {
\tpath string
}

func Open(path string) (*Store, error) {
\treturn nil, nil
}

func (s *Store) Close() error {
\treturn nil
}

const Limit = 5
`;

const RUST = `pub struct Store<T> {
    path: T,
}

impl<T> Store<T> {
    pub(crate) async fn open(path: T) -> Self {
        Self { path }
    }
}

macro_rules! limit { () => { 5 } }
`;

const C = `#include <stdio.h>

static int limit = 5;

int open_store(const char *path, int flags)
{
    return open(path);
}

void close_store(void) {
}
`;

const JAVA = `public class Store {
    private final String path;

    public static Store open(String path) {
        return new Store(path);
    }
}
`;

const RUBY = `class Store
  def open?(path)
    true
  end

  def close
  end
end
`;

describe('[I3] a symbol is found', () => {
  test.each([
    ['TypeScript', TYPESCRIPT, 'open', [4, 10]],
    ['TypeScript', TYPESCRIPT, 'LIMIT', [12, 12]],
    ['TypeScript', TYPESCRIPT, 'table', [13, 16]],
    ['TypeScript', TYPESCRIPT, 'Store', [18, 28]],
    ['TypeScript', TYPESCRIPT, 'Store.close', [25, 27]],
    ['TypeScript', TYPESCRIPT, 'Store.size', [19, 19]],
    ['TypeScript', TYPESCRIPT, 'constructor', [21, 23]],
    ['TypeScript', TYPESCRIPT, 'Kind', [30, 30]],
    ['TypeScript', TYPESCRIPT, 'Shape', [31, 33]],
    ['TypeScript', TYPESCRIPT, 'later', [34, 36]],
    ['Python', PYTHON, 'open', [8, 12]],
    ['Python', PYTHON, 'Store', [5, 15]],
    ['Python', PYTHON, 'Store.close', [14, 15]],
    ['Python', PYTHON, 'LIMIT', [3, 3]],
    ['Go', GO, 'Open', [7, 9]],
    ['Go', GO, 'Close', [11, 13]],
    ['Go', GO, 'Store', [3, 5]],
    ['Go', GO, 'Limit', [15, 15]],
    ['Rust', RUST, 'Store', [1, 3]],
    ['Rust', RUST, 'open', [6, 8]],
    ['Rust', RUST, 'limit', [11, 11]],
    ['C', C, 'open_store', [5, 8]],
    ['C', C, 'close_store', [10, 11]],
    ['C', C, 'limit', [3, 3]],
    ['Java', JAVA, 'Store.open', [4, 6]],
    ['Ruby', RUBY, 'Store#open?', [2, 4]],
    ['SQL', 'CREATE TABLE memories (\n  id TEXT\n);\n', 'memories', [1, 3]],
    ['shell', 'build() {\n  make\n}\n', 'build', [1, 3]],
  ] as const)('in %s: %s %s', (_language, text, symbol, extent) => {
    expect(findSymbol(text.split('\n'), symbol)).toEqual(extent);
  });

  test('not where it is only used, or inside another name', () => {
    const lines = ['reopen();', 'if (open(x)) {', '  return open;', '}', 'opened = 1;'];
    expect(findSymbol(lines, 'open')).toBeUndefined();
    expect(findSymbol(TYPESCRIPT.split('\n'), 'Store.nothing')).toBeUndefined();
    expect(findSymbol([], 'open')).toBeUndefined();
  });
});

describe('[I3] cited code', () => {
  const file = TYPESCRIPT.split('\n');
  const at = (text: string) => anchored(parseCite(text) ?? {}, file) ?? {};

  test('keeps lines and hash of what it was', () => {
    expect(at('src/a.ts#open')).toEqual({
      path: 'src/a.ts',
      symbol: 'open',
      lines: '4-10',
      hash: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(at('src/a.ts:12')).toEqual({ path: 'src/a.ts', lines: '12', hash: expect.any(String) });
    expect(anchored({ path: 'src/a.ts', lines: '99' }, file)).toBeUndefined();
  });

  test('is fresh as long as its own text is the same', () => {
    for (const cite of ['src/a.ts#open', 'src/a.ts:4-10', 'src/a.ts']) {
      expect(judgeCite(at(cite), file)).toEqual({ state: 'fresh' });
    }
    const later = [...file, 'export const more = 1;'];
    expect(judgeCite(at('src/a.ts#open'), later)).toEqual({ state: 'fresh' });
    expect(judgeCite(at('src/a.ts'), later)).toEqual({ state: 'changed' });
    const blanks = file.map((line) => `${line}  `);
    expect(judgeCite(at('src/a.ts:4-10'), blanks)).toEqual({ state: 'fresh' });
  });

  test('has changed when its text has', () => {
    const changed = file.with(6, '  await load(path, LIMIT);');
    expect(judgeCite(at('src/a.ts#open'), changed)).toEqual({ state: 'changed' });
    expect(judgeCite(at('src/a.ts:4-10'), changed)).toEqual({ state: 'changed' });
    expect(judgeCite(at('src/a.ts#LIMIT'), changed)).toEqual({ state: 'fresh' });
  });

  test('has moved when the same text stands elsewhere', () => {
    const moved = ['// licence', '', ...file];
    expect(judgeCite(at('src/a.ts#open'), moved)).toEqual({ state: 'moved', lines: '6-12' });
    expect(judgeCite(at('src/a.ts:4-10'), moved)).toEqual({ state: 'moved', lines: '6-12' });
    expect(judgeCite(at('src/a.ts:12'), moved)).toEqual({ state: 'moved', lines: '14' });
  });

  test('is gone with its file or its name', () => {
    expect(judgeCite(at('src/a.ts#open'), undefined)).toEqual({ state: 'gone' });
    expect(judgeCite(at('src/a.ts#open'), ['nothing'])).toEqual({ state: 'gone' });
    expect(judgeCite({ path: 'src/a.ts' }, undefined)).toEqual({ state: 'gone' });
  });

  test('that could not be read when it was cited is there or gone, no more', () => {
    expect(judgeCite({ path: 'src/a.ts', lines: '3' }, file)).toEqual({ state: 'fresh' });
    expect(judgeCite({ path: 'src/a.ts', symbol: 'open' }, file)).toEqual({ state: 'fresh' });
    expect(judgeCite({ commit: '1a2b3c4' }, undefined)).toEqual({ state: 'fresh' });
  });

  test('is looked for in a large file within milliseconds', () => {
    const large = Array.from({ length: 20_000 }, (_, i) => (i % 3 === 0 ? '  }' : `  line(${i});`));
    const cite = anchored({ path: 'a.ts', lines: '3-43' }, file.concat(large)) ?? {};
    const start = performance.now();
    expect(judgeCite(cite, large).state).toBe('changed');
    expect(performance.now() - start).toBeLessThan(500);
  });
});

describe('[I3] the cites of a memory', () => {
  const before = {
    body: 'See `src/a.ts`.',
    cites: [
      { path: 'src/a.ts', hash: 'a1' },
      { path: 'src/named.ts', hash: 'n1' },
    ],
  };

  test('that its text no longer has go with it; what was named stays', () => {
    expect(nextCites(before, { body: 'See nothing.' })).toEqual([
      { path: 'src/named.ts', hash: 'n1' },
    ]);
    expect(nextCites(before, { body: 'Still `src/a.ts`.' })).toEqual(before.cites);
    expect(nextCites(before, {})).toEqual(before.cites);
  });

  test('that are named anew replace those that were named', () => {
    const given = { named: true, cites: [{ path: 'src/b.ts', hash: 'b1' }] };
    expect(nextCites(before, { given })).toEqual([
      { path: 'src/a.ts', hash: 'a1' },
      { path: 'src/b.ts', hash: 'b1' },
    ]);
    expect(nextCites(before, { given: { named: true, cites: [] } })).toEqual([
      { path: 'src/a.ts', hash: 'a1' },
    ]);
  });

  test('that are cited again count as they stand now, the same text as it was', () => {
    const again = (hash: string, commit: string) =>
      nextCites(before, {
        given: { named: false, cites: [{ path: 'src/a.ts', hash, commit }] },
      })[0];
    expect(again('a2', 'c2')).toEqual({ path: 'src/a.ts', hash: 'a2', commit: 'c2' });
    expect(again('a1', 'c2')).toEqual({ path: 'src/a.ts', hash: 'a1' });
    const unread = { named: false, cites: [{ path: 'src/a.ts' }] };
    expect(nextCites(before, { given: unread })[0]).toEqual({ path: 'src/a.ts', hash: 'a1' });
  });
});
