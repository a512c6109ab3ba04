import { clip, displayWidth, padEnd, padStart } from './width.ts';

export interface Column {
  readonly heading: string;
  readonly align?: 'right';
  /** Takes what the others leave, and is clipped to it. */
  readonly grows?: boolean;
  /** Colours a cell once it has its width. */
  readonly paint?: (cell: string) => string;
}

const GAP = '  ';

/** Lines of a table that fits into `width` columns; without rows there is no table. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
  paintHeading: (cell: string) => string,
): string[] {
  if (rows.length === 0) return [];
  const widths = columns.map(({ heading }, i) =>
    Math.max(displayWidth(heading), ...rows.map((row) => displayWidth(row[i] ?? ''))),
  );
  const growing = columns.findIndex(({ grows }) => grows);
  if (growing >= 0) {
    const others = widths.reduce((sum, w, i) => sum + (i === growing ? 0 : w + GAP.length), 0);
    widths[growing] = Math.min(widths[growing] ?? 0, Math.max(16, width - others));
  }
  const line = (cells: readonly string[], paint?: (cell: string) => string): string =>
    columns
      .map((column, i) => {
        const cell = clip(cells[i] ?? '', widths[i] ?? 0);
        const pad = column.align === 'right' ? padStart : padEnd;
        return (paint ?? column.paint ?? ((text) => text))(pad(cell, widths[i] ?? 0));
      })
      .join(GAP)
      .trimEnd();
  const headings = columns.map(({ heading }) => heading);
  const hasHeadings = headings.some((heading) => heading !== '');
  return [...(hasHeadings ? [line(headings, paintHeading)] : []), ...rows.map((row) => line(row))];
}

/** A share from 0 to 1 as `█████░░░░░`. */
export function bar(share: number, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}

const LEVELS = '▁▂▃▄▅▆▇█';

/** Numbers from 0 as one line, `▁▃▅█`: the greatest is the highest. */
export function sparkline(values: readonly number[]): string {
  const most = Math.max(...values);
  const top = LEVELS.length - 1;
  return values.map((value) => LEVELS[most > 0 ? Math.round((value / most) * top) : 0]).join('');
}
