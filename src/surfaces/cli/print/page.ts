import type { TimeWindow } from '../../../domain/results.ts';
import { windowText } from '../../../domain/window.ts';
import type { Style } from '../terminal/style.ts';

/** What a human-readable answer is laid out for. */
export interface Page {
  readonly style: Style;
  /** Columns. */
  readonly width: number;
  readonly nowMs: number;
  /** What was asked, in the library's spelling. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Lines of an answer. The result's texts are safe for a terminal already. */
export type Printer<T> = (result: T, page: Page) => readonly string[];

/** `1 memory`, `2 memories`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** The times that were applied, if any were asked for: nobody has to guess a zone. */
export function windowLine(window: TimeWindow | undefined, { style }: Page): string[] {
  return window ? [style.dim(windowText(window))] : [];
}

/** Rows of `name  value` below each other. */
export function facts(
  rows: readonly (readonly [name: string, value: string | undefined])[],
  { style }: Page,
): string[] {
  const given = rows.filter(([, value]) => value !== undefined && value !== '');
  const width = Math.max(0, ...given.map(([name]) => name.length));
  return given.map(([name, value]) => `${style.dim(name.padEnd(width))}  ${value}`);
}
