const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * A Markdown text with its fenced code and its comments blanked, so that what stands there is read
 * as no link. Linear in its length, whatever is left open in it.
 */
export function withoutFences(text: string): string {
  let open: string | undefined;
  const lines = text.split('\n').map((line) => {
    const marks = FENCE.exec(line)?.[1];
    if (open === undefined) {
      if (marks === undefined) return line;
      open = marks;
      return '';
    }
    const closes = marks?.[0] === open[0] && (marks?.length ?? 0) >= open.length;
    if (closes && line.trim() === marks) open = undefined;
    return '';
  });
  return withoutComments(lines.join('\n'));
}

function withoutComments(text: string): string {
  let kept = '';
  let from = 0;
  for (;;) {
    const start = text.indexOf('<!--', from);
    const end = start < 0 ? -1 : text.indexOf('-->', start + 4);
    if (end < 0) return kept + text.slice(from);
    kept += `${text.slice(from, start)} `;
    from = end + 3;
  }
}

/** A text with its inline code blanked: what stands between two runs of as many backticks. */
export function withoutInlineCode(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }));
  const closing = new Map<number, number>();
  const latest = new Map<number, number>();
  for (let i = runs.length - 1; i >= 0; i--) {
    const { length } = runs[i] as { length: number };
    const next = latest.get(length);
    if (next !== undefined) closing.set(i, next);
    latest.set(length, i);
  }
  let kept = '';
  let from = 0;
  for (let i = 0; i < runs.length; i++) {
    const end = closing.get(i);
    if (end === undefined) continue;
    const last = runs[end] as { length: number; index: number };
    kept += `${text.slice(from, runs[i]?.index)} `;
    from = last.index + last.length;
    i = end;
  }
  return kept + text.slice(from);
}
