/** How a memory is active, and since when. */
export interface Activation {
  readonly id: string;
  /** 0 to 1; a seed has 1. */
  readonly activation: number;
  /** The step that reached it; 0 = a seed. */
  readonly step: number;
  /** Whence most of it came; null = a seed. */
  readonly from: string | null;
}

/** What connects two memories, either way. */
export interface Association {
  readonly from: string;
  readonly to: string;
  /** Weights of all that they share, summed; 1 = a tag that nobody else bears. */
  readonly weight: number;
}

export interface SpreadOptions {
  /** Share of its activation that a memory passes on. */
  readonly decay: number;
  /** Less than this does not survive a step. */
  readonly threshold: number;
  /** How many that are no seeds survive a step. */
  readonly topK: number;
}

/** What flows to a memory in one step, before its base level has a say. */
export interface Inflow {
  readonly id: string;
  /** 0 to 1. */
  readonly amount: number;
  /** The source of the largest part. */
  readonly from: string;
}

/**
 * What each memory receives from those that fire (Collins, Loftus 1975, A spreading-activation theory
 * of semantic processing): of each source its activation × decay × tanh w, where w is what it shares
 * with it: little passes in full, and much never more than all. Sources add up as independent chances
 * do, so that the sum stays below 1. Nothing flows back to who has fired. In order of id, whatever the
 * order given.
 * @param fired ids of all that have fired so far, these among them
 */
export function inflows(
  firing: readonly Activation[],
  associations: readonly Association[],
  { decay, fired }: Pick<SpreadOptions, 'decay'> & { readonly fired: ReadonlySet<string> },
): Inflow[] {
  const sources = new Map(firing.map(({ id, activation }) => [id, activation]));
  const flows = new Map<string, { id: string; missing: number; from: string; most: number }>();
  for (const { from, to, weight } of [...associations].sort(byEnds)) {
    const activation = sources.get(from);
    if (activation === undefined || fired.has(to)) continue;
    const part = activation * decay * Math.tanh(weight);
    const flow = flows.get(to) ?? { id: to, missing: 1, from, most: 0 };
    flow.missing *= 1 - part;
    if (part > flow.most) [flow.most, flow.from] = [part, from];
    flows.set(to, flow);
  }
  return [...flows.values()]
    .map(({ id, missing, from }) => ({ id, amount: 1 - missing, from }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function byEnds(a: Association, b: Association): number {
  if (a.to !== b.to) return a.to < b.to ? -1 : 1;
  if (a.from !== b.from) return a.from < b.from ? -1 : 1;
  return a.weight - b.weight;
}

/**
 * The state after a step: what flows in, times the modulation of each memory, joins what is there; then
 * what stays below the threshold falls away, and of what is no seed only the strongest survive (lateral
 * inhibition), ties by id.
 */
export function settle(
  active: ReadonlyMap<string, Activation>,
  flows: readonly Inflow[],
  { step, modulationOf }: { step: number; modulationOf: (id: string) => number },
  { threshold, topK }: Omit<SpreadOptions, 'decay'>,
): ReadonlyMap<string, Activation> {
  const next = new Map(active);
  for (const { id, amount, from } of flows) {
    next.set(id, { id, activation: amount * modulationOf(id), step, from });
  }
  const reached = [...next.values()].filter(({ step: at }) => at > 0);
  const survivors = reached
    .filter(({ activation }) => activation >= threshold)
    .sort(byActivation)
    .slice(0, topK);
  const seeds = [...next.values()].filter(({ step: at }) => at === 0);
  return new Map([...seeds, ...survivors].map((one) => [one.id, one]));
}

/** Strongest first, ties by id. */
export function byActivation(a: Activation, b: Activation): number {
  return b.activation - a.activation || (a.id < b.id ? -1 : 1);
}
