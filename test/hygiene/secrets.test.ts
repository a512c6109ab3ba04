import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { open } from '../../src/open.ts';
import { connect } from '../surfaces/mcp-support.ts';
import { loci as run, lociJson, tempFolder } from '../surfaces/run-cli.ts';
import { KEYS } from './keys.ts';
import { filesHolding, onEveryStore } from './support.ts';

const GITHUB = KEYS.find(([kind]) => kind === 'github-token')?.[1] as string;
const AWS = KEYS.find(([kind]) => kind === 'aws-access-key')?.[1] as string;
const HASH = 'da39a3ee5e6b4b0d3255bfef95601890afd80709';
const UUID = '550e8400-e29b-41d4-a716-446655440000';
/** Parts that no file and no answer may hold. */
const TRACES = [GITHUB.slice(4, 20), AWS.slice(4), 'hunter2', 's3cret', 'MHcCAQEE'];
const PEM = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEx/Q=\n-----END EC PRIVATE KEY-----';

onEveryStore((newPlace) => {
  test('[S4][A12] secrets leave a placeholder in every field, and no trace anywhere', async () => {
    const place = newPlace();
    const loci = await place.open();
    const { results, warnings } = await loci.remember({
      body: `Deploy with ${GITHUB}: the password is hunter2. Build ${HASH}, run ${UUID}.\n${PEM}`,
      title: `Key ${AWS}`,
      slug: GITHUB,
      tags: [GITHUB, 'deploy'],
      paths: [`keys/${AWS}.txt`],
      speaker: `bob ${AWS}`,
      sessionId: GITHUB,
      externalId: AWS,
      observed: 'password=hunter2',
      entities: [{ kind: 'tool', name: `db postgres://u:s3cret@db/x` }],
      details: { password: 'hunter2', nested: { [AWS]: [`token: ${GITHUB}`] }, build: UUID },
    });
    const [receipt] = results;
    expect(receipt?.outcome).toBe('stored');
    expect(receipt?.redacted).toEqual([
      { kind: 'github-token', count: 5 },
      { kind: 'password', count: 3 },
      { kind: 'private-key', count: 1 },
      { kind: 'aws-access-key', count: 5 },
      { kind: 'url-password', count: 1 },
    ]);
    expect(warnings).toContain(
      'body: secrets were redacted: 1 github-token, 1 password, 1 private-key',
    );
    const id = receipt?.id as string;
    const { memories } = await loci.get({ ids: [id], history: true });
    expect(memories[0]).toMatchObject({
      body: `Deploy with [redacted:github-token]: the password is [redacted:password]. Build ${HASH}, run ${UUID}.\n[redacted:private-key]`,
      title: 'Key [redacted:aws-access-key]',
      tags: ['[redacted:github-token]', 'deploy'],
      external_ids: [],
      details: {
        password: '[redacted:password]',
        nested: { '[redacted:aws-access-key]': ['token: [redacted:github-token]'] },
        build: UUID,
      },
    });
    await loci.update({ id, body: `Now with ${GITHUB}`, reason: `password is hunter2` });
    await loci.archive({ id, reason: `leaked ${AWS}` });
    const other = await loci.remember({ body: 'The anchor is new.' });
    const restored = await loci.restore({ id, reason: `token ${GITHUB}` });
    expect(restored.redacted).toEqual([{ kind: 'github-token', count: 1 }]);
    await loci.relate({ source: id, type: GITHUB, target: other.results[0]?.id as string });
    for (const query of [...TRACES, GITHUB, AWS]) {
      const { total } = await loci.search({ query, status: ['active', 'archived'] });
      expect([query, total]).toEqual([query, 0]);
    }
    const all = await loci.get({ ids: [id], history: true, relations: true });
    for (const trace of TRACES) expect(JSON.stringify(all)).not.toContain(trace);
    await loci.close();
    expect(filesHolding(place.folder, TRACES)).toEqual([]);
  });

  test('[S4] in a batch each item has its own receipt, and errors quote no secret', async () => {
    const place = newPlace();
    const loci = await place.open();
    const { results } = await loci.remember([
      { body: `One ${GITHUB}` },
      { body: 'Two', type: GITHUB as 'fact' },
      { body: 'Three', project: GITHUB },
      { body: 'Four of them', supersedes: AWS },
      { body: 'Five of them' },
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual([
      'stored',
      'refused',
      'refused',
      'refused',
      'stored',
    ]);
    expect(results[0]?.redacted).toEqual([{ kind: 'github-token', count: 1 }]);
    expect(results[4]?.redacted).toBeUndefined();
    expect(JSON.stringify(results)).not.toContain(GITHUB.slice(4, 20));
    expect(results[3]?.reason).toContain('[redacted:aws-access-key]');
    for (const work of [
      () => loci.remember({ body: 'x', tags: [GITHUB], confidence: GITHUB as unknown as number }),
      () => loci.update({ id: AWS, body: 'y' }),
      () => loci.get({ ids: [] as unknown as string[], [GITHUB]: 1 } as never),
      () => loci.search({ query: 'x', cursor: GITHUB, mode: AWS as 'filter' }),
    ]) {
      const error = await work().then(
        () => undefined,
        (thrown: unknown) => thrown as Error,
      );
      expect(error).toBeDefined();
      for (const trace of TRACES) expect(`${error?.message}${error?.stack}`).not.toContain(trace);
    }
    await loci.close();
    expect(filesHolding(place.folder, TRACES)).toEqual([]);
  });

  test('[A12] ids that were secrets do not make two memories one', async () => {
    const loci = await newPlace().open();
    await loci.remember({ body: 'The first of two', externalId: `${GITHUB}1` });
    await loci.remember({ body: 'The second of two', id: `${GITHUB}2` });
    expect((await loci.status()).memories.total).toBe(2);
  });

  test('[A12] an owner who wants to keep them can say so', async () => {
    const loci = await newPlace().open({ env: { LOCI_SECRETS: 'keep' } });
    const { results } = await loci.remember({ body: `Keep ${GITHUB}`, details: { token: GITHUB } });
    const { memories } = await loci.get({ ids: [results[0]?.id as string] });
    expect(memories[0]?.body).toBe(`Keep ${GITHUB}`);
    expect(results[0]?.redacted).toBeUndefined();
  });

  test('[S4] golden questions and documents are kept without them', async () => {
    const place = newPlace();
    const loci = await place.open();
    const { results } = await loci.remember({ body: 'The anchor is of iron.' });
    const file = join(place.folder, 'golden.jsonl');
    const ids = results.map(({ id }) => id);
    await loci.addGolden({ file, query: `anchor with ${GITHUB}`, ids });
    const docs = mkdtempSync(join(tmpdir(), 'loci-docs-'));
    mkdirSync(join(docs, 'guide'));
    writeFileSync(join(docs, 'guide', 'a.md'), `# Key ${AWS}\n\nThe password is hunter2.\n`);
    await loci.reindexDocs({ dir: docs });
    const found = await loci.recallDocs({ query: 'key password' });
    expect(found.results[0]?.text).toBe('The password is [redacted:password].');
    await loci.close();
    expect(filesHolding(place.folder, TRACES)).toEqual([]);
  });
});

test('[S4] what a person writes into a file stays theirs, and is reported', async () => {
  const root = mkdtempSync(join(tmpdir(), 'loci-hand-'));
  const first = await open(root, { embedder: 'none' });
  await first.remember({ body: 'The anchor is of iron.' });
  await first.close();
  const path = join(root, 'ENTITIES', 'by-hand.md');
  writeFileSync(path, '---\ntype: fact\n---\nThe password is hunter2.\n');
  const loci = await open(root, { embedder: 'none' });
  const { findings } = await loci.status();
  expect(findings).toEqual([
    {
      check: 'secrets',
      severity: 'warning',
      message: 'ENTITIES/by-hand.md seems to hold secrets: 1 password',
      hint: 'The file was left as it is. Take them out of it; the log keeps what it said before.',
    },
  ]);
  expect(filesHolding(join(root, 'ENTITIES'), ['hunter2'])).toHaveLength(1);
  const [row] = (await loci.search({ query: 'password' })).results;
  const archived = await loci.archive({ id: row?.id as string });
  expect(archived.outcome).toBe('archived');
  await loci.close();
});

test('[S4] through the command line, on its error paths too', () => {
  const folder = tempFolder();
  const store = join(folder, 'vault');
  const told = run(['-d', store, 'remember', `Use ${GITHUB} to deploy`, '--tags', AWS]);
  expect(told.code).toBe(0);
  expect(told.out).toMatch(/^stored FACT-\S+; redacted: 1 github-token, 1 aws-access-key\n$/);
  const batch = join(tempFolder(), 'batch.jsonl');
  writeFileSync(batch, `{"body":"password is hunter2"}\n{"body" ${GITHUB}}\n${GITHUB}\n`);
  const outputs = [
    run(['-d', store, 'remember', '--batch', batch]),
    run(['-d', store, 'remember', 'x', '--type', GITHUB]),
    run(['-d', store, 'remember', 'x', `--${GITHUB}`]),
    run(['-d', store, GITHUB]),
    run(['-d', store, '--json', 'get', GITHUB]),
    run(['-d', store, '--json', 'update', AWS, 'The password is hunter2']),
    run(['-d', store, '-p', GITHUB, 'remember', 'A text']),
    run(['-d', store, '-a', GITHUB, 'remember', 'A text']),
    run(['-d', store, 'config', '--json']),
  ];
  for (const { out, err } of outputs) {
    // What `get` did not find is named, as it was asked, and stands nowhere else.
    const answer = out.replace(/"missing":\[[^\]]*\]/, '');
    for (const trace of TRACES) expect(`${answer}${err}`).not.toContain(trace);
  }
  const { json } = lociJson<{ results: { redacted?: object[] }[] }>(
    ['remember', 'The API_KEY=abc123def456 is in use'],
    { env: { LOCI_STORE: store } },
  );
  expect(json.results[0]?.redacted).toEqual([{ kind: 'key', count: 1 }]);
  expect(filesHolding(folder, TRACES)).toEqual([]);
});

test('[S4] through MCP, on its error paths too', async () => {
  const folder = tempFolder();
  const server = await connect({ store: join(folder, 'vault') });
  const told = await server.call('remember', { body: `Use ${GITHUB}`, tags: ['a', AWS] });
  expect(told.text).toMatch(/redacted: 1 github-token, 1 aws-access-key/);
  expect(told.json.results[0].redacted).toEqual([
    { kind: 'github-token', count: 1 },
    { kind: 'aws-access-key', count: 1 },
  ]);
  const replies = [
    await server.call('remember', { body: 'x', [GITHUB]: 1 }),
    await server.call('remember', { body: 'x', type: GITHUB }),
    await server.call('remember', { memories: [{ body: 'password is hunter2' }, GITHUB] }),
    await server.call('forget', { id: AWS, reason: 'password is hunter2' }),
    await server.call('relate', { source: AWS, type: 'supports', target: GITHUB }),
  ];
  for (const { text, json } of replies) {
    for (const trace of TRACES) expect(`${text}${JSON.stringify(json)}`).not.toContain(trace);
  }
  await server.close();
  expect(filesHolding(folder, TRACES)).toEqual([]);
});
