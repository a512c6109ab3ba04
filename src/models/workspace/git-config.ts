/** The URL of the remote `origin` in the text of a git configuration file. */
export function originUrl(config: string): string | undefined {
  let inOrigin = false;
  for (const line of config.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const section = /^\s*\[\s*([^\]\s"]+)(?:\s+"((?:\\.|[^"\\])*)")?\s*\]/.exec(line);
    if (section) {
      inOrigin = section[1]?.toLowerCase() === 'remote' && section[2] === 'origin';
    }
    if (!inOrigin) continue;
    const setting = /^\s*url\s*=\s*(.*)$/i.exec(section ? line.slice(section[0].length) : line);
    const value = setting && settingValue(setting[1] ?? '');
    if (value) return value;
  }
  return undefined;
}

/** Quotes and escapes as git reads them; `#` and `;` outside quotes start a comment. */
function settingValue(text: string): string {
  let value = '';
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i] ?? '';
    if (character === '\\') value += text[++i] ?? '';
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '#' || character === ';')) break;
    else value += character;
  }
  return value.trim();
}
