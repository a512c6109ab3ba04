import { LociError, type ErrorCode } from '../../domain/errors.ts';
import { storeError } from '../shared/store-error.ts';

interface Remedy {
  readonly code: ErrorCode;
  readonly says: string;
  readonly hint: string;
}

const AGAIN = 'Nothing was changed. Try again.';

/** By SQLSTATE or by the code of a failed system call. */
const REMEDIES: Readonly<Record<string, Remedy>> = {
  '28P01': {
    code: 'denied',
    says: 'the server refuses this user and password',
    hint: 'Check user and password in the URL; special characters in it are written as %XX.',
  },
  '28000': {
    code: 'denied',
    says: 'the server lets this user not in from here',
    hint: 'Check the user in the URL, and pg_hba.conf of the server.',
  },
  '3D000': {
    code: 'unavailable',
    says: 'there is no such database on the server',
    hint: 'Check the name at the end of the URL, or make it: createdb NAME',
  },
  '3F000': {
    code: 'unavailable',
    says: 'this database is not set up for Loci',
    hint: 'Run once, as a user who may make tables: loci setup --store URL',
  },
  '42P01': {
    code: 'unavailable',
    says: 'this database is not set up for Loci',
    hint: 'Run once, as a user who may make tables: loci setup --store URL',
  },
  '42883': {
    code: 'unavailable',
    says: 'this database is not set up for this version of Loci',
    hint: 'Run once, as a user who may make tables: loci setup --store URL',
  },
  '42501': {
    code: 'denied',
    says: 'this user has not the rights it takes',
    hint: 'See "Roles" in docs/postgres.md for the rights to grant.',
  },
  '25006': {
    code: 'unavailable',
    says: 'the server takes no writes: it is a standby, or set to read only',
    hint: 'Name the primary server in the URL.',
  },
  '53300': { code: 'busy', says: 'the server has no connection left', hint: AGAIN },
  '53100': {
    code: 'unavailable',
    says: 'the disk of the server is full',
    hint: 'Free some space.',
  },
  '55P03': {
    code: 'busy',
    says: 'another process has been writing for too long',
    hint: 'Nothing was changed. Try again when it is done.',
  },
  '40001': { code: 'busy', says: 'others changed the same at the same time', hint: AGAIN },
  '40P01': { code: 'busy', says: 'others changed the same at the same time', hint: AGAIN },
  '54000': {
    code: 'invalid_input',
    says: 'a name is too long for the database',
    hint: 'Give it a shorter project name or session id.',
  },
  '57P01': { code: 'unavailable', says: 'the server is shutting down', hint: AGAIN },
  '57P02': { code: 'unavailable', says: 'the server has crashed', hint: AGAIN },
  '57P03': { code: 'unavailable', says: 'the server is starting or stopping', hint: AGAIN },
  ECONNREFUSED: {
    code: 'unavailable',
    says: 'nothing answers at this address',
    hint: 'Start the server (docker compose up -d), or check host and port in the URL.',
  },
  ENOTFOUND: {
    code: 'unavailable',
    says: 'its host is not known',
    hint: 'Check the host in the URL. Where it has an IPv6 address alone, use a pooler in session mode.',
  },
  EAI_AGAIN: {
    code: 'unavailable',
    says: 'its host cannot be looked up now',
    hint: 'Check the network and the host in the URL.',
  },
  ENETUNREACH: {
    code: 'unavailable',
    says: 'there is no way to its host, which may have an IPv6 address alone',
    hint: 'Use the address of the pooler in session mode (port 5432), or a network with IPv6.',
  },
  EHOSTUNREACH: {
    code: 'unavailable',
    says: 'there is no way to its host',
    hint: 'Check the network. Where the host has an IPv6 address alone, use a pooler in session mode.',
  },
  ETIMEDOUT: {
    code: 'unavailable',
    says: 'it does not answer',
    hint: 'Check host and port in the URL, and firewalls on the way.',
  },
  ECONNRESET: { code: 'unavailable', says: 'the connection broke', hint: AGAIN },
  EPIPE: { code: 'unavailable', says: 'the connection broke', hint: AGAIN },
};

/** What a pooler says of the server behind it, or of its own waiting: then it ends the connection. */
const POOLER_LOST =
  /server (conn(ection)?s? (crashed|closed|dropped)|closed|lifetime over|idle timeout|DNS lookup failed|login has been failing)|cannot connect|connect (failed|timeout)|unexpected eof|obsolete connection|configuration changed|shutting down|_timeout|(query|transaction) timeout/i;

/** Those that have no code, or one that says little. */
const BY_MESSAGE: readonly (readonly [RegExp, Remedy])[] = [
  [
    /tenant or user not found/i,
    {
      code: 'denied',
      says: 'the pooler does not know this user',
      hint: 'A hosted pooler wants the user as NAME.PROJECT, as its console shows it.',
    },
  ],
  [
    /certificate|SSL|TLS/,
    {
      code: 'unavailable',
      says: 'no safe connection could be made',
      hint: 'Set sslmode in the URL as the server wants it; see docs/postgres.md.',
    },
  ],
  [POOLER_LOST, { code: 'unavailable', says: 'the pooler does not reach the server', hint: AGAIN }],
  [
    /timeout exceeded when trying to connect|timeout expired|read timeout/i,
    REMEDIES['ETIMEDOUT'] as Remedy,
  ],
  [/Connection terminated|not queryable|connection error/, REMEDIES['ECONNRESET'] as Remedy],
];

const LOST = new Set(['57P01', '57P02', '57P03', '08000', '08003', '08006', 'ECONNRESET', 'EPIPE']);

/** Whether a connection broke, so that nothing more is heard of what was sent over it. */
export function isLost(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (LOST.has(String(code ?? ''))) return true;
  if (code === '08P01' && POOLER_LOST.test(String(message ?? ''))) return true;
  return /Connection terminated|not queryable|read timeout/i.test(String(message ?? ''));
}

/** Whether the server is not there now but may be soon: a restart, for one. */
export function isAway(error: unknown): boolean {
  return isLost(error) || codesOf(error).includes('ECONNREFUSED');
}

/** Whether others changed the same at the same time. */
export function isContention(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === '40001' || code === '40P01';
}

/** A failure of the database as an error that a person can act on; it never holds the password. */
export function databaseError(error: unknown, location: string): LociError {
  if (error instanceof LociError) return error;
  const remedy = remedyFor(error);
  if (!remedy) return storeError(error, location);
  return new LociError(remedy.code, `${location}: ${remedy.says}`, remedy.hint, { cause: error });
}

function remedyFor(error: unknown): Remedy | undefined {
  for (const code of codesOf(error)) {
    const remedy = Object.hasOwn(REMEDIES, code) ? REMEDIES[code] : undefined;
    if (remedy) return remedy;
  }
  const message = String((error as { message?: unknown }).message ?? '');
  return BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1];
}

/** A host with several addresses fails with an error for each. */
function codesOf(error: unknown): string[] {
  const { code, errors, cause } = error as { code?: unknown; errors?: unknown; cause?: unknown };
  const inner = Array.isArray(errors) ? errors.flatMap(codesOf) : [];
  const below = cause instanceof Error ? codesOf(cause) : [];
  return [...inner, ...(typeof code === 'string' ? [code] : []), ...below];
}
