import { describe, expect, test } from 'vitest';
import { LociError } from '../../src/domain/errors.ts';
import { LazyStore, type Store } from '../../src/surfaces/mcp/store.ts';

function fake(log: string[], name: string): Store {
  return { close: async () => void log.push(`close ${name}`) } as unknown as Store;
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

describe('the store of a server', () => {
  test('is opened once, for all calls that wait for it', async () => {
    let opened = 0;
    const store = new LazyStore(async () => fake([], String(++opened)));
    expect(opened).toBe(0);
    await Promise.all([store.use(async () => {}), store.use(async () => {}), store.warm()]);
    expect(opened).toBe(1);
  });

  test('is opened again after it could not be opened', async () => {
    let attempts = 0;
    const store = new LazyStore(async () => {
      if (++attempts === 1) throw new LociError('busy', 'locked');
      return fake([], 'second');
    });
    await expect(store.use(async () => {})).rejects.toThrow('locked');
    await expect(store.use(async () => 'done')).resolves.toBe('done');
    expect(attempts).toBe(2);
  });

  test('is opened again after it could no longer be written, and the old one is closed last', async () => {
    const log: string[] = [];
    let attempts = 0;
    const store = new LazyStore(async () => fake(log, String(++attempts)));
    const { promise, resolve: finish } = deferred();
    const slow = store.use(() => promise);
    await expect(
      store.use(async () => {
        throw new LociError('unavailable', 'the disk is full');
      }),
    ).rejects.toThrow('the disk is full');
    await store.use(async () => {});
    expect({ attempts, log }).toEqual({ attempts: 2, log: [] });
    finish();
    await slow;
    expect(log).toEqual(['close 1']);
    await store.close();
    expect(log).toEqual(['close 1', 'close 2']);
  });

  test('stays open after an error of the caller', async () => {
    let opened = 0;
    const store = new LazyStore(async () => fake([], String(++opened)));
    const refused = store.use(async () => {
      throw new LociError('not_found', 'no such memory');
    });
    await expect(refused).rejects.toThrow('no such memory');
    await store.use(async () => {});
    expect(opened).toBe(1);
  });

  test('takes no more calls once it is closed', async () => {
    const store = new LazyStore(async () => fake([], 'only'));
    await store.close();
    await expect(store.use(async () => {})).rejects.toThrow('shutting down');
  });
});
