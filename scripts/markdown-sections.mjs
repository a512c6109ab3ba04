// Splits a Markdown page at its headings.

/**
 * @typedef {object} Section
 * @property {string} anchor distinct within the page
 * @property {string} title the headings above it, outermost first
 * @property {string} body
 */

/**
 * Sections with text in them. What looks like a heading inside a fence is none.
 * @param {string} text
 * @returns {Section[]}
 */
export function sectionsOf(text) {
  /** @type {{ headings: string[], lines: string[] }[]} */
  const parts = [{ headings: [], lines: [] }];
  let fence = '';
  for (const line of text.split(/\r?\n/)) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1] ?? '';
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence)) fence = '';
    const found = fence === '' ? /^(#{1,3})\s+(.+?)\s*#*$/.exec(line) : null;
    const current = /** @type {{ headings: string[], lines: string[] }} */ (parts.at(-1));
    if (!found) current.lines.push(line);
    else {
      const [, marks = '', title = ''] = found;
      const above = current.headings.slice(0, marks.length - 1);
      parts.push({ headings: [...above, title.replace(/[`*]/g, '')], lines: [] });
    }
  }
  const taken = new Map();
  return parts.flatMap(({ headings, lines }) => {
    const body = lines.join('\n').trim();
    if (body === '') return [];
    const title = headings.join(': ');
    const slug = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');
    const count = taken.get(slug) ?? 0;
    taken.set(slug, count + 1);
    return [{ anchor: count === 0 ? slug : `${slug}-${count}`, title, body }];
  });
}
