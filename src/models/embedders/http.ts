import type { Secret } from '../../domain/secret.ts';
import { Failure } from './failure.ts';

export interface Answer {
  readonly status: number;
  readonly ok: boolean;
  /** Undefined where the body is no JSON. */
  readonly json: unknown;
  readonly retryAfterMs?: number;
}

/**
 * Asks a server and reads its answer, whatever the status. Redirects are not followed: a POST that
 * is redirected loses its body, and a key would go to another host.
 * @throws Failure unreachable
 */
export async function ask(
  url: string,
  signal: AbortSignal,
  { apiKey, body }: { readonly apiKey?: Secret | undefined; readonly body?: unknown } = {},
): Promise<Answer> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (apiKey) headers['authorization'] = `Bearer ${apiKey.reveal()}`;
  try {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      redirect: 'manual',
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const retryAfterMs = waitOf(response.headers.get('retry-after'));
    return {
      status: response.status,
      ok: response.ok,
      json: jsonOf(text),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  } catch (error) {
    signal.throwIfAborted();
    throw new Failure('unreachable', `cannot be reached (${reasonOf(error)})`);
  }
}

/** What an answer that is no success means. */
export function failureOf(
  { status, json, retryAfterMs }: Answer,
  apiKey: Secret | undefined,
  hints: Readonly<Record<number, string>> = {},
): Failure {
  const hint = hints[status];
  const options = {
    ...(hint === undefined ? {} : { hint }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  // What a server says about a key may quote it.
  const says = [401, 403].includes(status) ? '' : saidBy(json, apiKey);
  const message = `answered ${status}${says}`;
  if ([408, 429, 502, 503, 504].includes(status))
    return new Failure('overloaded', message, options);
  if (status >= 500) return new Failure('failed', message, options);
  if ([400, 413, 422].includes(status)) return new Failure('too-long', message, options);
  if (status < 400) {
    const elsewhere = 'Set embed_base_url to the address that it redirects to.';
    return new Failure('rejected', message, { hint: elsewhere });
  }
  return new Failure('rejected', message, options);
}

/** The server's own words, as far as they fit a line. */
function saidBy(json: unknown, apiKey: Secret | undefined): string {
  const { error, message, detail } = (json ?? {}) as Record<string, unknown>;
  const nested = (error as { message?: unknown } | undefined)?.message;
  const words = [nested, error, message, detail].find((part) => typeof part === 'string');
  if (typeof words !== 'string') return '';
  const clean = apiKey ? words.replaceAll(apiKey.reveal(), '[secret]') : words;
  const line = clean.replace(/\s+/g, ' ').trim();
  return `: ${line.length > 200 ? `${line.slice(0, 199)}…` : line}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `Retry-After` in seconds or as a date. */
function waitOf(header: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as {
    cause?: { code?: string; message?: string };
    message?: string;
  };
  return cause?.code ?? cause?.message ?? message ?? 'no reason given';
}
