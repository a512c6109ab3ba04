/** One line of a comparison: in both texts, only in the first, or only in the second. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Differences looked for before a text counts as another one: the cost grows with their square. */
const MAX_DIFFERENCES = 1000;

/**
 * The shortest way from one text to another, line by line (Myers, An O(ND) difference algorithm,
 * 1986); removals stand before additions. Texts with more than a thousand differences are shown as
 * all of one and all of the other, after what they begin and end with alike.
 */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (
    end < a.length - start &&
    end < b.length - start &&
    a[a.length - 1 - end] === b[b.length - 1 - end]
  ) {
    end += 1;
  }
  const middle = shortestWay(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...all('same', a.slice(0, start)), ...middle, ...all('same', a.slice(a.length - end))];
}

function shortestWay(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  const trace = furthestReaches(a, b);
  if (!trace) return [...all('removed', a), ...all('added', b)];
  const lines: DiffLine[] = [];
  let [x, y] = [a.length, b.length];
  for (let d = trace.length - 1; d >= 0; d--) {
    const reach = trace[d] as ReadonlyMap<number, number>;
    const k = x - y;
    const down = goesDown(reach, k, d);
    const from = down ? k + 1 : k - 1;
    const startX = d === 0 ? 0 : (reach.get(from) as number);
    const startY = d === 0 ? 0 : startX - from;
    while (x > startX && y > startY && a[x - 1] === b[y - 1]) {
      lines.push({ kind: 'same', text: a[x - 1] as string });
      x -= 1;
      y -= 1;
    }
    if (d === 0) break;
    if (down) lines.push({ kind: 'added', text: b[y - 1] as string });
    else lines.push({ kind: 'removed', text: a[x - 1] as string });
    [x, y] = [startX, startY];
  }
  return removalsFirst(lines.toReversed());
}

/**
 * For each number of differences how far down each diagonal one gets, as it was before that step;
 * undefined when there are too many.
 */
function furthestReaches(
  a: readonly string[],
  b: readonly string[],
): ReadonlyMap<number, number>[] | undefined {
  const trace: ReadonlyMap<number, number>[] = [];
  const reach = new Map<number, number>([[1, 0]]);
  for (let d = 0; d <= Math.min(a.length + b.length, MAX_DIFFERENCES); d++) {
    trace.push(new Map(reach));
    for (let k = -d; k <= d; k += 2) {
      let x = goesDown(reach, k, d)
        ? (reach.get(k + 1) as number)
        : (reach.get(k - 1) as number) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      reach.set(k, x);
      if (x >= a.length && x - k >= b.length) return trace;
    }
  }
  return undefined;
}

function goesDown(reach: ReadonlyMap<number, number>, k: number, d: number): boolean {
  if (k === -d) return true;
  return k !== d && (reach.get(k - 1) as number) < (reach.get(k + 1) as number);
}

function all(kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}

/** Within a run of changes, what goes stands before what comes. */
function removalsFirst(lines: readonly DiffLine[]): readonly DiffLine[] {
  const sorted: DiffLine[] = [];
  let added: DiffLine[] = [];
  for (const line of lines) {
    if (line.kind === 'added') {
      added.push(line);
      continue;
    }
    if (line.kind === 'same') {
      sorted.push(...added);
      added = [];
    }
    sorted.push(line);
  }
  return [...sorted, ...added];
}
