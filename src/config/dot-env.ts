/**
 * Reads the text of a `.env` file: `NAME=value`, `export NAME=value`, values in single quotes
 * (literal), in double quotes (with `\n`, `\"`, `\\`) or bare up to ` #`. Nothing is expanded.
 */
export function parseDotEnv(text: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  const lines =
    /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(?:'([^']*)'|"((?:\\.|[^"\\])*)"|([^\r\n]*))/gms;
  for (const [, name = '', literal, quoted, bare] of text.replace(/^\uFEFF/, '').matchAll(lines)) {
    values[name] = literal ?? (quoted === undefined ? bareValue(bare) : unescaped(quoted));
  }
  return values;
}

function bareValue(text = ''): string {
  return text.replace(/(^|\s)#.*$/, '').trim();
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_, character: string) => (character === 'n' ? '\n' : character));
}
