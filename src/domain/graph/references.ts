import { isNativeId } from '../identity.ts';
import { withoutFences, withoutInlineCode } from './code.ts';

/** What a body refers to, as it is written there; each once, in order. */
export interface References {
  /** Targets of `[[wikilinks]]`, without heading and label. */
  readonly wikilinks: readonly string[];
  /** Names of the Markdown files that links lead to, without folder and ending. */
  readonly files: readonly string[];
  /** Words that can be ids of ours. */
  readonly ids: readonly string[];
}

/** `[[Plan]]`, `![[Plan#Costs|what it costs]]`. */
const WIKILINK = /\[\[([^[\]\n|#^]*)(?:[#^][^[\]\n|]*)?(?:\|[^[\]\n]*)?\]\]/g;
/** `[text](path.md "title")`, `[text](<a path.md>)`. */
const INLINE_LINK = /\]\([ \t]*(?:<([^<>\n]*)>|([^\s<>()]*))/g;
/** `[name]: path.md` */
const LINK_DEFINITION = /^ {0,3}\[[^\]\n\r\u2028\u2029]+\]:[ \t]*(?:<([^<>\n]*)>|(\S+))/gm;
/** What follows the scheme of an address; to look for the scheme would take long in a long word. */
const WEB_ADDRESS = /:\/\/\S+/g;
const SCHEME = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i;
const ID = /(?<![\p{L}\p{N}_-])[A-Z0-9]+(?:-[A-Z0-9]+)+(?![\p{L}\p{N}_-])/gu;

/**
 * Reads the links and ids of a Markdown body. Code blocks and comments say nothing; inline code is no
 * place for a link either, but people write ids as code.
 */
export function referencesIn(body: string): References {
  const text = withoutFences(body);
  const prose = withoutInlineCode(text);
  const wikilinks = [...prose.matchAll(WIKILINK)].map(([, target = '']) => linkTarget(target));
  const links = [...prose.matchAll(INLINE_LINK), ...prose.matchAll(LINK_DEFINITION)];
  const files = links.map(([, quoted, plain]) => fileName(quoted ?? plain ?? ''));
  const words = text.replace(WEB_ADDRESS, ' ').match(ID) ?? [];
  return {
    wikilinks: distinct(wikilinks),
    files: distinct(files),
    ids: distinct(words.filter(isNativeId)),
  };
}

/** In a table Obsidian writes the bar as `\|`. */
function linkTarget(target: string): string {
  return target.replace(/\\$/, '').trim().replace(/\.md$/i, '');
}

/** The name of a Markdown file, or of what has no ending, that a link leads to; '' for any other. */
function fileName(destination: string): string {
  if (SCHEME.test(destination)) return '';
  const path = decoded(destination.replace(/[?#].*$/, ''));
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/\.md$/i.test(name)) return name.slice(0, -'.md'.length);
  return isNativeId(name) ? name : '';
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function distinct(words: readonly string[]): readonly string[] {
  return [...new Set(words.filter((word) => word !== ''))];
}

const GENERATED = /^[A-Z]{4}-\d{4}-\d{2}-\d{2}-/;

/** Whether a word is an id for certain, so that one that leads nowhere is worth telling. */
export function looksGenerated(id: string): boolean {
  return GENERATED.test(id);
}
