import { LociError } from './errors.ts';

export interface PostgresUrl {
  /** For the driver: with the password, without what is ours. Never shown. */
  readonly connect: string;
  /** The same without the password: may be shown to anyone. */
  readonly shown: string;
  /** The schema that the tables lie in: `?schema=`, default `loci`. */
  readonly schema: string;
  readonly port: number;
}

const DEFAULT_SCHEMA = 'loci';
const DEFAULT_PORT = 5432;

/**
 * Reads `postgres://user:password@host:port/database?schema=name`.
 * @throws LociError invalid_input, without a word of what was given: it may hold a password
 */
export function parsePostgresUrl(text: string): PostgresUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new LociError(
      'invalid_input',
      'the PostgreSQL URL cannot be read',
      'Write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE, with %XX for special characters in the password.',
    );
  }
  const schema = url.searchParams.get('schema') || DEFAULT_SCHEMA;
  if (!/^[a-z_][a-z0-9_]{0,55}$/.test(schema) || schema.startsWith('pg_')) {
    throw new LociError(
      'invalid_input',
      `schema in the PostgreSQL URL is ${JSON.stringify(schema.slice(0, 80))}`,
      'A schema has up to 56 lower-case letters, digits and underscores, and begins with a letter.',
    );
  }
  url.searchParams.delete('schema');
  const connect = url.href;
  url.password = '';
  url.searchParams.delete('password');
  if (schema !== DEFAULT_SCHEMA) url.searchParams.set('schema', schema);
  return { connect, shown: url.href, schema, port: Number(url.port || DEFAULT_PORT) };
}
