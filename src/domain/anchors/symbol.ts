/** Lines that a definition takes, from 1, both included. */
export type Extent = readonly [from: number, to: number];

/** Longer definitions are cut. */
const MOST_LINES = 2000;

/**
 * Finds where a name is defined, by what definitions look like in common languages: function, class,
 * def, fn, func, type, const … and its name; else a method, a function of C, or an assignment. No
 * language is parsed: of several definitions of one name the first counts, and in text that is not
 * indented as usual, or that a macro makes, nothing is found or too little.
 * @param symbol a nested name (`Class.method`, `Class::method`) is looked for part by part
 */
export function findSymbol(lines: readonly string[], symbol: string): Extent | undefined {
  let extent: Extent = [1, lines.length];
  let isInside = false;
  for (const name of symbol.split(/\.|::|#/).filter((part) => part !== '')) {
    const from = definitionOf(name, lines, extent, isInside);
    if (from === undefined) return undefined;
    extent = [from, endOf(lines, from, extent[1])];
    isInside = true;
  }
  return isInside ? extent : undefined;
}

const KEYWORDS =
  'function\\*?|class|interface|type|enum|namespace|module|const|let|var|val|def|func|fun|fn|struct|trait|impl|union|record|object|protocol|extension|macro_rules!|mod|static|typedef|sub|proc|defmodule|defp|defn|TABLE|VIEW|FUNCTION';
const MODIFIERS =
  'export|default|declare|public|private|protected|internal|abstract|final|sealed|static|readonly|async|override|virtual|inline|unsafe|extern(?: "[^"]*")?|pub(?:\\([^)]*\\))?|const|open|data|case|partial|local|CREATE(?: OR REPLACE)?|get|set|\\*|#';
const NO_DEFINITION =
  /^\s*(?:return|if|else|while|for|switch|throw|new|await|case|yield|delete|typeof|and|or|not|print|assert)\b/;

/** From what is surely a definition to what may be one. */
function patternsOf(name: string): readonly RegExp[] {
  const word = name.replace(/[$.*+?^{}()|[\]\\]/g, '\\$&');
  const end = '(?![\\w$])';
  return [
    // Also `func (s *Store) Name` and `impl<T> Name`.
    new RegExp(
      `^\\s*(?:(?:${MODIFIERS})\\s+)*(?:${KEYWORDS})(?:\\s*<[^>]*>)?\\s+(?:\\([^)]*\\)\\s*)?(?:\\w+\\.)*${word}${end}`,
    ),
    new RegExp(`^\\s*(?:(?:${MODIFIERS})\\s*)*#?${word}\\s*(?:<[^>]*>)?\\([^;]*\\{\\s*$`),
    new RegExp(`^[A-Za-z_][\\w\\s*&<>:,[\\]~]*[\\s*&:]${word}\\s*\\([^;=]*$`),
    // A method or variable after its type, as in Java and C#.
    new RegExp(
      `^\\s*(?:(?:${MODIFIERS})\\s+)*[A-Za-z_][\\w<>,.?[\\]]*[\\s*&]+${word}\\s*(?:\\([^;]*\\{\\s*$|=(?!=)|;)`,
    ),
    new RegExp(`^\\s*(?:(?:${MODIFIERS})\\s+)*["']?#?${word}["']?\\s*(?::[^=]*)?(?:=(?!=)|:)`),
    // The first line of a method whose parameters stand below each other.
    new RegExp(`^\\s*(?:(?:${MODIFIERS})\\s*)*#?${word}\\s*(?:<[^>]*>)?\\((?:[^;]*,)?\\s*$`),
  ];
}

function definitionOf(
  name: string,
  lines: readonly string[],
  [first, last]: Extent,
  isInside: boolean,
): number | undefined {
  for (const pattern of patternsOf(name)) {
    for (let line = isInside ? first + 1 : first; line <= last; line++) {
      const text = lines[line - 1] as string;
      if (text.includes(name) && pattern.test(text) && !NO_DEFINITION.test(text)) return line;
    }
  }
  return undefined;
}

const CLOSES = /^\s*(?:[)}\]]|end\b|\{)/;
const OPENS = /(?:[({[:]|=>|\bdo)\s*$/;

/**
 * Where a definition ends, by its indentation: what is indented deeper belongs to it, and so do the
 * lines at its own depth that close what it opened.
 */
function endOf(lines: readonly string[], from: number, last: number): number {
  const depth = indentOf(lines[from - 1] as string);
  let end = from;
  const most = Math.min(last, from + MOST_LINES - 1);
  for (let line = from + 1; line <= most; line++) {
    const text = lines[line - 1] as string;
    if (text.trim() === '') continue;
    const indent = indentOf(text);
    if (indent > depth) {
      end = line;
      continue;
    }
    if (indent < depth || !CLOSES.test(text)) break;
    end = line;
    if (!OPENS.test(text)) break;
  }
  return end;
}

/** A tab counts as one step: within a file, steps are alike. */
function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
