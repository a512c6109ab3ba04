/** A line of a difference: kept, taken out or put in. */
export interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** Texts with more lines that differ than this are shown whole, the old one before the new one. */
const MOST_COMPARED = 500;

/** The shortest difference of two texts, line by line (longest common subsequence). */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return [
    ...lines(' ', old.slice(0, start)),
    ...diffOf(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...lines(' ', old.slice(old.length - end)),
  ];
}

function diffOf(old: readonly string[], now: readonly string[]): DiffLine[] {
  if (old.length > MOST_COMPARED || now.length > MOST_COMPARED) {
    return [...lines('-', old), ...lines('+', now)];
  }
  // lengths[i][j]: of the longest common subsequence of what is left from i and j on.
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const length =
        old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
      (lengths[i] as Uint16Array)[j] = length;
    }
  }
  const found: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      found.push({ sign: ' ', text: old[i] as string });
      [i, j] = [i + 1, j + 1];
    } else if (i < old.length && (j >= now.length || at(i + 1, j) >= at(i, j + 1))) {
      found.push({ sign: '-', text: old[i++] as string });
    } else {
      found.push({ sign: '+', text: now[j++] as string });
    }
  }
  return found;
}

function lines(sign: DiffLine['sign'], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ sign, text }));
}
