import { sanitiseText } from '../sanitise.ts';
import { parseFile } from './parse.ts';
import { splitFile } from './split.ts';

/** A Markdown file that is nobody's memory. */
export interface MarkdownDocument {
  readonly title?: string;
  readonly tags: readonly string[];
  /** What follows the front matter, with line feeds alone. */
  readonly body: string;
  /** Line of the file, from 1, on which the body begins. */
  readonly bodyLine: number;
}

export type DocumentResult = MarkdownDocument | { readonly problem: string; readonly line: number };

/** What is read of front matter; every other key is its owner's and may hold anything. */
const KEYS = ['title', 'tags'];
/** A line that YAML could take for a key. A rule at the top of a page opens no front matter. */
const KEY_LINE = /^(?:"[^"\n]*"|'[^'\n]*'|[^\s#:'"][^:\n\r\u2028\u2029]*):(?:\s|$)/m;

/** Reads a document: front matter, where it has any, and body. */
export function parseDocument(text: string): DocumentResult {
  if (text.includes('\0')) return { problem: 'it holds NUL characters: it is no text', line: 1 };
  const split = splitFile(text);
  const hasFront =
    !('problem' in split) &&
    split.front !== '' &&
    (split.yaml.trim() === '' || KEY_LINE.test(split.yaml));
  if (!hasFront) return { tags: [], body: bodyOf(text), bodyLine: 1 };
  const parsed = parseFile(text, KEYS);
  if ('problem' in parsed) return parsed;
  const { title, tags = [] } = parsed.fields;
  return {
    ...(title === undefined ? {} : { title }),
    tags,
    body: bodyOf(text.slice(split.front.length)),
    bodyLine: split.front.split('\n').length,
  };
}

function bodyOf(text: string): string {
  return sanitiseText(text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')).text;
}
