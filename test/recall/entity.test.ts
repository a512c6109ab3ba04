import { expect, test } from 'vitest';
import { bodies, onEveryStore } from './stores.ts';

const MASTER = { kind: 'person', name: 'Harbour Master' };
const NOTE = { body: 'She wants the log before noon', entities: [MASTER] };
const BERTH = {
  body: 'Berth nine is free until noon',
  entities: [MASTER, { kind: 'tool', name: 'Logbook' }],
};
const OTHER = { body: 'The noon gun is fired daily' };

onEveryStore((openWith) => {
  test('[C8] an entity narrows in any case, with its id and all links of each result', async () => {
    const loci = await openWith(NOTE, BERTH, OTHER);
    const answer = await loci.recall({ entity: 'HARBOUR master', query: 'noon' });
    expect(answer.entity_resolved).toBe(true);
    expect(answer.entity_id).toBe('person:harbour master');
    expect(answer.results).toHaveLength(2);
    const links = Object.fromEntries(answer.results.map((one) => [one.body, one.entity_links]));
    expect(links).toEqual({ [NOTE.body]: NOTE.entities, [BERTH.body]: BERTH.entities });
  });

  test('[C8] the question is optional, and an unknown name finds nothing', async () => {
    const loci = await openWith(NOTE, BERTH, OTHER);
    expect((await bodies(loci, { entity: 'harbour master' })).toSorted()).toEqual([
      BERTH.body,
      NOTE.body,
    ]);
    const unknown = await loci.recall({ entity: 'nobody' });
    expect(unknown).toMatchObject({ results: [], entity_resolved: false });
    expect(unknown).not.toHaveProperty('entity_id');
  });

  test('[C8] a name that two kinds bear has no id; without the option there are no keys', async () => {
    const loci = await openWith(
      { body: 'Mercury sails', entities: [{ kind: 'tool', name: 'Mercury' }] },
      { body: 'Mercury speaks', entities: [{ kind: 'person', name: 'mercury' }] },
    );
    const both = await loci.recall({ entity: 'Mercury' });
    expect(both.results).toHaveLength(2);
    expect(both.entity_resolved).toBe(true);
    expect(both).not.toHaveProperty('entity_id');
    const plain = await loci.recall({ query: 'Mercury' });
    expect(plain).not.toHaveProperty('entity_resolved');
    expect(plain.results[0]).not.toHaveProperty('entity_links');
  });

  test('[C8] an alias finds what is linked under any of the names, also from the global project', async () => {
    const loci = await openWith(
      {
        body: 'The database is vacuumed nightly',
        entities: [{ kind: 'tool', name: 'PostgreSQL' }],
      },
      { body: 'Ports of the database', entities: [{ kind: 'tool', name: 'pg' }] },
      OTHER,
    );
    await loci.scoped({ project: 'global' }).entity({
      name: 'PostgreSQL',
      kind: 'tool',
      aliases: ['Postgres', 'pg', 'postgresql'],
    });
    expect(await loci.entities()).toEqual({
      entities: [
        {
          id: 'tool:postgresql',
          project: 'global',
          kind: 'tool',
          name: 'PostgreSQL',
          aliases: ['Postgres', 'pg'],
        },
      ],
    });
    const answer = await loci.recall({ entity: 'POSTGRES' });
    expect(answer).toMatchObject({ entity_resolved: true, entity_id: 'tool:postgresql' });
    expect(answer.results.map(({ body }) => body).toSorted()).toEqual([
      'Ports of the database',
      'The database is vacuumed nightly',
    ]);
    expect((await loci.search({ entity: 'postgres' })).total).toBe(2);
    const other = await loci.scoped({ project: 'elsewhere' }).recall({ entity: 'pg' });
    expect(other).toMatchObject({ results: [], entity_resolved: true });
  });

  test('[C8] names are added, and one name stands for one entity of a kind', async () => {
    const loci = await openWith();
    await loci.entity({ name: 'Bun', kind: 'tool' });
    await loci.entity({ name: 'bun', kind: 'Tool', aliases: ['Bun.js'] });
    const { entities } = await loci.entities();
    expect(entities.map(({ name, aliases }) => [name, aliases])).toEqual([['Bun', ['Bun.js']]]);
    await expect(loci.entity({ name: 'Bunny', kind: 'tool', aliases: ['BUN.JS'] })).rejects.toThrow(
      '"bun.js" is a name of tool:bun already',
    );
    await loci.entity({ name: 'Bunny', kind: 'person', aliases: ['bun.js'] });
    const both = await loci.recall({ entity: 'bun.js' });
    expect(both.entity_resolved).toBe(true);
    expect(both).not.toHaveProperty('entity_id');
  });

  test('[C2] a memory linked to an entity that the question names gains a little', async () => {
    const loci = await openWith(
      { body: 'The harbour master counts boats', entities: [MASTER] },
      { body: 'The harbour master counts ships' },
    );
    const { results } = await loci.recall({ query: 'harbour master counts', explain: true });
    expect(results.map(({ explain }) => explain?.multipliers.entity)).toEqual([1.05, 1]);
  });
});
