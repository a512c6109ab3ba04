const compiled = new Map<string, RegExp>();

/**
 * Path globs: `*` and `?` stay within a folder, `**` crosses folders, everything else is literal.
 * A pattern without a slash also matches the last part of a path, and a folder matches what is
 * below it.
 */
export function matchesGlob(pattern: string, path: string): boolean {
  const wanted = clean(pattern);
  let regex = compiled.get(wanted);
  if (!regex) {
    regex = compile(wanted);
    if (compiled.size > 200) compiled.clear();
    compiled.set(wanted, regex);
  }
  const subject = clean(path);
  if (regex.test(subject)) return true;
  return !wanted.includes('/') && regex.test(subject.slice(subject.lastIndexOf('/') + 1));
}

function clean(path: string): string {
  return path.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, '');
}

function compile(pattern: string): RegExp {
  const source = pattern.replace(/\*\*\/?|[*?]|[.+^${}()|[\]\\]/g, (found) => {
    if (found === '**/') return '(?:.*/)?';
    if (found === '**') return '.*';
    if (found === '*') return '[^/]*';
    if (found === '?') return '[^/]';
    return `\\${found}`;
  });
  return new RegExp(`^${source}(?:/.*)?$`, 'u');
}
