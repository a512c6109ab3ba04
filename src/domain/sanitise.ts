/**
 * Text is stored as it was given, but for what no file or database can hold: NUL characters are
 * dropped and lone surrogates become U+FFFD. The receipt reports it.
 */
export function sanitiseText(text: string): { text: string; changed: boolean } {
  let clean = text.includes('\0') ? text.replaceAll('\0', '') : text;
  if (!isWellFormed(clean)) clean = clean.replace(LONE_SURROGATES, '�');
  return { text: clean, changed: clean !== text };
}

const LONE_SURROGATES = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}
