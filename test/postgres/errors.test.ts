import { expect, test } from 'vitest';
import { databaseError, isAway } from '../../src/engines/postgres/postgres-error.ts';

function failure(code: string | undefined, message: string): Error {
  return Object.assign(new Error(message), { code });
}

// What PgBouncer says when it ends a connection of a client since that of the server is gone.
test.each([
  'server conn crashed?',
  'server connection closed',
  'server connections dropped, exiting',
  'server lifetime over',
  'server idle timeout',
  'server DNS lookup failed',
  'server login has been failing, try again later (server_login_retry)',
  'pgbouncer cannot connect to server',
  'cannot connect',
  'connect timeout',
  'unexpected eof',
  'obsolete connection',
  'database configuration changed',
  'query_wait_timeout',
  'client_login_timeout (server down)',
])('[B4] a pooler that says "%s" is tried again, and the error says what to do', (message) => {
  const error = failure('08P01', message);
  expect(isAway(error)).toBe(true);
  expect(databaseError(error, 'postgres://host/db').code).toBe('unavailable');
});

test.each([
  ['08P01', 'server login failed: wrong password type'],
  ['08P01', 'unsupported startup parameter: search_path'],
  ['42601', 'syntax error at or near "server connection closed"'],
  ['23505', 'duplicate key value: cannot connect'],
  [undefined, 'server lifetime over'],
])('[B4] %s "%s" is not: it would fail again', (code, message) => {
  expect(isAway(failure(code, message))).toBe(false);
});

test.each([
  ['42P01', 'unavailable', 'loci setup'],
  ['42883', 'unavailable', 'loci setup'],
  ['42501', 'denied', 'docs/postgres.md'],
])('[B9] %s says what to run', (code, expected, hint) => {
  const error = databaseError(failure(code, 'as the server says it'), 'postgres://host/db');
  expect(error.code).toBe(expected);
  expect(error.hint).toContain(hint);
});
