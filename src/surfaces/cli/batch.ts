import { quote } from '../../domain/errors.ts';
import { memoryInput } from '../../domain/options.ts';
import { camelKeys, nearestOf, snakeCase } from '../../domain/parse.ts';
import type { Receipt, RememberResult } from '../../domain/results.ts';

/** A file of memories, one JSON object a line. */
export interface Batch {
  readonly items: readonly Record<string, unknown>[];
  /** For each item its line, from 1. */
  readonly lines: readonly number[];
  /** Lines that are no memory, each with the reason. */
  readonly refused: readonly Receipt[];
}

/** Reads the lines, blank ones apart; one that cannot be read does not stop the others. */
export function parseBatch(text: string): Batch {
  const items: Record<string, unknown>[] = [];
  const lines: number[] = [];
  const refused: Receipt[] = [];
  text.split('\n').forEach((content, i) => {
    if (content.trim() === '') return;
    const item = parseLine(content);
    if (typeof item === 'string') {
      refused.push({ id: '', outcome: 'refused', reason: item, line: i + 1 });
    } else {
      items.push(camelKeys(item));
      lines.push(i + 1);
    }
  });
  return { items, lines, refused };
}

/** The answer in the order of the file, with its line numbers instead of positions in the batch. */
export function inFileOrder(batch: Batch, stored: RememberResult): RememberResult {
  const named = new Set(stored.results.map(({ line }) => line));
  const unnamed = batch.lines.filter((_, i) => !named.has(i + 1));
  const lineOf = (position: number): number => batch.lines[position - 1] ?? position;
  const placed = stored.results.map((receipt) =>
    receipt.line === undefined
      ? { receipt, line: unnamed.shift() ?? 0 }
      : { receipt: { ...receipt, line: lineOf(receipt.line) }, line: lineOf(receipt.line) },
  );
  const refused = batch.refused.map((receipt) => ({ receipt, line: receipt.line ?? 0 }));
  return {
    ...stored,
    results: [...placed, ...refused]
      .toSorted((a, b) => a.line - b.line)
      .map(({ receipt }) => receipt),
    warnings: stored.warnings.map((warning) =>
      warning.replace(/^line (\d+):/, (_, position) => `line ${lineOf(Number(position))}:`),
    ),
  };
}

/** The object that a line holds, or why it is refused. */
function parseLine(content: string): Record<string, unknown> | string {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    // The parser quotes what stands around the place, and that may be half a secret.
    const [what] = (error as Error).message.split(/, \.{0,3}"/);
    return `The line is no JSON: ${what}`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return `The line is no object: ${quote(value)}`;
  }
  const known = Object.keys(memoryInput.shape).map(snakeCase);
  const foreign = Object.keys(value).find((key) => !known.includes(key));
  if (foreign === undefined) return value as Record<string, unknown>;
  const nearest = nearestOf(snakeCase(foreign), known);
  return `The line has an unknown key: ${quote(foreign)}${nearest ? `; did you mean ${quote(nearest)}?` : ''}`;
}
