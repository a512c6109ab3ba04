import { isAbsolute, resolve } from 'node:path';

/**
 * One key for every spelling of a remote: `host/Org/Repo` for `git@host:Org/Repo.git`,
 * `ssh://git@host:22/Org/Repo` and `https://user:secret@Host/Org/Repo.git/`. Credentials, port and
 * case of the host do not tell repositories apart; a path on this machine is `file:` and the path.
 * @param base folder that a relative path counts from
 * @returns undefined when there is nothing to go by
 */
export function originKey(url: string, base: string): string | undefined {
  const text = url.trim();
  if (text === '') return undefined;
  if (/^file:\/\//i.test(text))
    return localKey(decoded(text.replace(/^file:\/\/[^/]*/i, '')), base);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return urlKey(text);
  const scp = /^(?:[^@/\\]+@)?(\[[^\]]+\]|[^:/\\]{2,}):(.+)$/.exec(text);
  return scp ? hostKey(scp[1] ?? '', scp[2] ?? '') : localKey(text, base);
}

function urlKey(text: string): string | undefined {
  const found = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?(\[[^\]]+\]|[^/:]+)(?::\d*)?(\/[^?#]*)?/i.exec(
    text,
  );
  return found ? hostKey(found[1] ?? '', found[2] ?? '') : undefined;
}

function hostKey(host: string, path: string): string | undefined {
  const plain = bare(decoded(path)).replace(/^\/+/, '');
  return plain === '' ? undefined : `${host.toLowerCase()}/${plain}`;
}

function localKey(path: string, base: string): string | undefined {
  const absolute = isAbsolute(path) ? path : resolve(base, path);
  const plain = bare(absolute.replaceAll('\\', '/'));
  return plain === '' ? undefined : `file:${plain}`;
}

function bare(path: string): string {
  return path
    .replace(/\/{2,}/g, '/')
    .replace(/\/+$/, '')
    .replace(/\/?\.git$/i, '')
    .replace(/\/+$/, '');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A readable project name from the last part of a key or path: `my-repo` for `My.Repo`. */
export function projectName(lastPart: string): string {
  const name = lastPart
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '') // accents on Latin letters; other scripts need their marks
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'project' : name;
}
