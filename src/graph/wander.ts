import { LociError, quote } from '../domain/errors.ts';
import { modulation } from '../domain/graph/base-level.ts';
import { collisionsOf } from '../domain/graph/collisions.ts';
import type { WanderOptions } from '../domain/graph/inputs.ts';
import { wanderOptions } from '../domain/graph/options.ts';
import type { ActivatedMemory, WanderCollision, WanderResult } from '../domain/graph/results.ts';
import { byActivation, inflows, settle, type Activation } from '../domain/graph/spread.ts';
import { headline, type Memory } from '../domain/memory.ts';
import { parseInput } from '../domain/parse.ts';
import type { Filter, View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import type { Engine, TaggedMemory } from '../ports/engine.ts';
import { currentView } from '../ports/scope.ts';
import { Associations } from './associations.ts';

/** What holds when nothing is said. */
const DEFAULTS = {
  seeds: 3,
  steps: 3,
  threshold: 0.05,
  topK: 20,
  decay: 0.5,
  maxCollisions: 5,
  relationWeight: 2,
} as const;

/**
 * Wanders from some memories to what they bring to mind, by spreading activation (Collins, Loftus
 * 1975) over shared tags and edges, weighed by the base-level activation of ACT-R (Anderson, Lebiere
 * 1998), and names pairs that are active together and lie far apart. Only what is reached is read, and
 * the same store gives the same answer.
 */
export async function wander(options: WanderOptions, deps: Deps): Promise<WanderResult> {
  const asked = parseInput(wanderOptions, options, 'wander');
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  const settings = { ...DEFAULTS, ...(Object.fromEntries(given) as Partial<Numbers>) };
  const nowMs = deps.clock.nowMs();
  const view = await currentView(deps);
  const filter: Filter = { statuses: ['active'], validAtMs: nowMs };
  const { relationWeight } = settings;
  const graph = new Associations(deps.engine, { view, filter, relationWeight });
  const seeds = await seedsOf(asked, { view, filter, most: settings.topK }, deps.engine);
  graph.add(seeds);
  const { active, steps } = await spread(seeds, graph, { ...settings, view, nowMs }, deps.engine);
  const activated = [...active.values()].sort(byActivation).map((one) => {
    return { ...one, memory: graph.memory(one.id) };
  });
  const tagged = activated.map(({ memory, ...one }) => ({ ...one, tags: memory.tags }));
  return {
    seeds: seeds.map(({ id }) => id),
    activated: activated.map(shown),
    collisions: collisionsOf(tagged, settings.maxCollisions).map((collision): WanderCollision => {
      const { a, b, score, dissimilarity } = collision;
      return {
        a,
        b,
        a_title: headline(graph.memory(a)),
        b_title: headline(graph.memory(b)),
        score: rounded(score),
        dissimilarity: rounded(dissimilarity),
      };
    }),
    steps,
  };
}

type Numbers = Record<Exclude<keyof typeof DEFAULTS, 'seeds'>, number>;

/** In each step everything that is active and has not fired yet passes on what it has. */
async function spread(
  seeds: readonly Memory[],
  graph: Associations,
  settings: Numbers & { readonly view: View; readonly nowMs: number },
  engine: Engine,
): Promise<{ active: ReadonlyMap<string, Activation>; steps: number }> {
  const { threshold, view, nowMs } = settings;
  let active: ReadonlyMap<string, Activation> = new Map(
    seeds.map(({ id }) => [id, { id, activation: 1, step: 0, from: null }]),
  );
  const fired = new Set<string>();
  let step = 0;
  while (step < settings.steps) {
    const firing = [...active.values()].filter(({ id }) => !fired.has(id));
    if (firing.length === 0) break;
    step += 1;
    for (const { id } of firing) fired.add(id);
    const associations = await graph.of(firing.map(({ id }) => id));
    const flows = inflows(firing, associations, { ...settings, fired }).filter(
      // Modulation only takes away, so that nobody has to be asked about what is too little already.
      ({ amount }) => amount >= threshold,
    );
    const ids = flows.map(({ id }) => id);
    const citations = await engine.citationCounts(ids, view);
    const modulationOf = (id: string): number =>
      modulation(1 + (citations.get(id) ?? 0), nowMs - Date.parse(graph.createdAt(id)));
    active = settle(active, flows, { step, modulationOf }, settings);
    await graph.load([...active.keys()]);
  }
  return { active, steps: step };
}

/** What was named, and the newest with the tags that were; without either the newest of all. */
async function seedsOf(
  { seeds, tags }: Pick<WanderOptions, 'seeds' | 'tags'>,
  { view, filter, most }: { view: View; filter: Filter; most: number },
  engine: Engine,
): Promise<readonly Memory[]> {
  const newest = async (more: Filter, limit: number): Promise<Memory[]> => {
    const order = { sort: 'created_at', descending: true } as const;
    const request = { view, filter: { ...filter, ...more }, ...order, limit };
    return (await engine.select(request)).rows.map(({ memory }) => memory);
  };
  if (!seeds && !tags) return newest({}, DEFAULTS.seeds);
  const found = new Map<string, Memory>();
  for (const ref of seeds ?? []) {
    const [known] = await engine.get([ref], view);
    if (!known) {
      throw new LociError(
        'not_found',
        `seeds: there is no memory ${quote(ref)}`,
        'Look its id up with search or recall.',
      );
    }
    found.set(known.memory.id, known.memory);
  }
  if (!tags) return [...found.values()];
  const rare = await engine.tagged({ view, filter, tags, most: RARE });
  const bearers = await Promise.all(
    tags.map(async (tag) => {
      const few = rare.get(tag);
      if (!few) return (await newest({ tags: [tag] }, most)).map(({ id }) => id);
      return [...few].sort(byAge).map(({ id }) => id);
    }),
  );
  const ids = inTurn(bearers).slice(0, most);
  const read = new Map((await engine.get(ids, view)).map(({ memory }) => [memory.id, memory]));
  for (const id of ids) found.set(id, read.get(id) as Memory);
  return [...found.values()];
}

/** Of a tag with more bearers the newest are asked for, which takes a look at all memories. */
const RARE = 200;

/** Newest first, as `select` orders them. */
function byAge(a: TaggedMemory, b: TaggedMemory): number {
  return a.created_at === b.created_at
    ? Number(a.id < b.id) - Number(a.id > b.id)
    : Number(a.created_at < b.created_at) * 2 - 1;
}

/** The first of each list, then the second of each: no subject crowds out another. */
function inTurn(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const rounds = Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? []));
  return [...new Set(rounds.flat())];
}

function shown({ memory, ...one }: Activation & { memory: Memory }): ActivatedMemory {
  return {
    id: one.id,
    type: memory.type,
    title: headline(memory),
    tags: memory.tags,
    activation: rounded(one.activation),
    step: one.step,
    from: one.from,
  };
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
