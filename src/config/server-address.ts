import { LociError, quote } from '../domain/errors.ts';

const EXAMPLE = 'Write it like http://localhost:8080/v1';

/**
 * The address of a server that speaks OpenAI's protocol, without a slash at its end.
 * @throws LociError invalid_input; the message leaves out what may be a secret
 */
export function parseBaseUrl(text: string, setting: string): string {
  const url = parsed(text, setting);
  if (url.username || url.password || url.search || url.hash) {
    throw new LociError(
      'invalid_input',
      `${setting} has a user, a password, a query or a fragment`,
      'Give the address alone, and the key in LOCI_EMBED_API_KEY.',
    );
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/embeddings$/, '');
}

/** Ollama's address, also when it is that of its OpenAI protocol or of its API. */
export function parseOllamaUrl(text: string, setting: string): string {
  return parseBaseUrl(text, setting).replace(/\/(v1|api)$/, '');
}

/**
 * `OLLAMA_HOST` as Ollama reads it: scheme and port may be missing (http, 11434), and the address
 * that a server listens on everywhere is this machine for a client.
 */
export function parseOllamaHost(text: string): string {
  const hasScheme = /^https?:\/\//i.test(text);
  const rest = hasScheme ? text : `http://${text.startsWith(':') ? 'localhost' : ''}${text}`;
  const url = parsed(rest, 'OLLAMA_HOST');
  if (!hasScheme && url.port === '') url.port = '11434';
  if (['0.0.0.0', '[::]'].includes(url.hostname)) url.hostname = 'localhost';
  return parseOllamaUrl(url.href, 'OLLAMA_HOST');
}

function parsed(text: string, setting: string): URL {
  try {
    const url = new URL(text);
    if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  } catch {
    // Said below.
  }
  // What is no address may be a key in the wrong place.
  const shown = /^[\w.:/-]{1,60}$/.test(text) && text.includes(':') ? ` (${quote(text)})` : '';
  throw new LociError('invalid_input', `${setting} is no address${shown}`, EXAMPLE);
}
