import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loci, lociJson, tempFolder, words } from './run-cli.ts';

interface Answer {
  results: { id: string; outcome: string; reason?: string; line?: number }[];
  warnings: string[];
}

describe('remember --batch', () => {
  const folder = tempFolder();
  const at = ['-d', join(folder, 'vault'), '-p', 'demo'];
  const batch = (lines: readonly (object | string)[], ...more: string[]) => {
    const input = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    return lociJson<Answer>(['remember', '--batch', '-', ...at, ...more], {
      input: input.join('\n'),
    });
  };

  test('stores what is good and refuses the rest by line', () => {
    const { code, json } = batch([
      { body: 'Alpha one', type: 'fact', ttl_days: 10 },
      'no json at all',
      { body: 'Beta two', colour: 'red' },
      '',
      { body: 'Gamma three', confidence: 7 },
      { title: 'no body' },
      { body: 'Delta four', external_id: 'ext-4', speaker: 'Ada', session_id: 's', turn: 3 },
    ]);
    expect(code).toBe(1);
    expect(json.results.map(({ outcome, line }) => [outcome, line])).toEqual([
      ['stored', 1],
      ['refused', 2],
      ['refused', 3],
      ['refused', 5],
      ['refused', 6],
      ['stored', 7],
    ]);
    const reasons = json.results.map(({ reason }) => reason ?? '');
    expect(reasons[1]).toMatch(/JSON/);
    expect(reasons[2]).toMatch(/colour/);
    expect(reasons[3]).toMatch(/confidence/);
    expect(reasons[4]).toMatch(/body/);
    const { json: got } = lociJson<{ memories: object[] }>(['get', 'ext-4', ...at]);
    expect(got.memories).toEqual([
      expect.objectContaining({
        body: 'Delta four',
        speaker: 'Ada',
        session_id: 's',
        turn: 3,
        external_ids: ['ext-4'],
      }),
    ]);
  });

  test('takes project, agent, relations and entities from a line', () => {
    const { code, json } = batch([
      { body: 'Infra note', project: 'infra', agent: 'bob', external_id: 'i1' },
      {
        body: 'Ada owns it',
        external_id: 'i2',
        project: 'infra',
        entities: [{ kind: 'person', name: 'Ada' }],
        relations: [{ type: 'supports', target: 'i1' }],
      },
    ]);
    expect({ code, json }).toMatchObject({ code: 0 });
    const { json: got } = lociJson<{ memories: Record<string, unknown>[] }>([
      'get',
      'i1',
      'i2',
      '-d',
      join(folder, 'vault'),
      '-p',
      'infra',
    ]);
    const byId = new Map(
      got.memories.map((memory) => [(memory.external_ids as string[])[0], memory]),
    );
    expect(byId.get('i1')).toMatchObject({ project: 'infra', agent: 'bob' });
    expect(byId.get('i2')).toMatchObject({
      entities: [{ kind: 'person', name: 'Ada' }],
      relations: [expect.objectContaining({ type: 'supports', target: byId.get('i1')?.id })],
    });
  });

  test('NUL characters are dropped and reported, the escape as text is kept', () => {
    const { code, json } = batch([
      '{"body":"normal"}',
      '{"body":"before\\u0000 after zebra"}',
      '{"body":"literal \\\\u0000 text"}',
    ]);
    expect(code).toBe(0);
    expect(json.results.map(({ outcome }) => outcome)).toEqual(['stored', 'stored', 'stored']);
    expect(json.warnings.join('\n')).toMatch(/line 2.*NUL/);
    const { json: found } = lociJson<{ results: { body: string }[] }>(['recall', 'zebra', ...at]);
    expect(found.results[0]?.body).toBe('before after zebra');
  });

  test('options fill in what a line leaves open', () => {
    const { json } = batch(
      [{ body: 'Kept type', type: 'belief' }, { body: 'Filled type' }],
      ...words('--type decision --tags filled'),
    );
    const ids = json.results.map(({ id }) => id);
    const { json: got } = lociJson<{ memories: { type: string; tags: string[] }[] }>([
      'get',
      ...ids,
      ...at,
    ]);
    expect(got.memories.map(({ type, tags }) => [type, tags])).toEqual([
      ['belief', ['filled']],
      ['decision', ['filled']],
    ]);
  });

  test('comes from a file, also one with a BOM and Windows line ends; an empty one is no error', () => {
    const path = join(folder, 'lines.jsonl');
    writeFileSync(path, '\uFEFF{"body":"windows one"}\r\n{"body":"windows two"}\r\n');
    const { code, json } = lociJson<Answer>(['remember', '--batch', path, ...at]);
    expect(code).toBe(0);
    expect(json.results.map(({ outcome }) => outcome)).toEqual(['stored', 'stored']);
    expect(batch([]).json).toEqual({ results: [], warnings: [] });
  });

  test('goes with no body of its own', () => {
    const { code, out } = loci(['remember', 'body', '--batch', '-', '--json', ...at]);
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'invalid_input' } });
  });

  test('is summed up for a person', () => {
    const lines = Array.from({ length: 30 }, (_, i) => JSON.stringify({ body: `many ${i}` }));
    const { code, out, err } = loci(['remember', '--batch', '-', ...at], {
      input: [...lines, 'broken'].join('\n'),
    });
    expect(code).toBe(1);
    expect(out).toMatch(/^line 31: refused: .*JSON/m);
    expect(out).toContain('31 memories, 30 stored, 1 refused');
    expect(err).toBe('');
  });
});
