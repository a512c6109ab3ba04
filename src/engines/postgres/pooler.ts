import { LociError } from '../../domain/errors.ts';
import type { Driver } from './driver.ts';

/** Where hosted poolers give each transaction another connection. */
const TRANSACTION_POOLER_PORT = 6543;

/**
 * Setting up wants a connection that stays the same.
 * @param drivers two of one connection each
 * @throws LociError unsupported
 */
export async function refusePooler(
  drivers: readonly [Driver, Driver],
  port: number,
  location: string,
): Promise<void> {
  if (port !== TRANSACTION_POOLER_PORT && !(await shareConnections(drivers))) return;
  throw new LociError(
    'unsupported',
    `${location} is a pooler in transaction mode, which setup cannot go through`,
    'Give setup the address of the server or of a pooler in session mode (often port 5432); afterwards this one will do.',
  );
}

/** Whether two connections of ours, both open, were served by one of the server's. */
async function shareConnections([one, other]: readonly [Driver, Driver]): Promise<boolean> {
  return (await backendOf(one)) === (await backendOf(other));
}

function backendOf(driver: Driver): Promise<number> {
  return driver.transaction({ begin: 'BEGIN READ ONLY' }, async (session) => {
    const [row] = await session.query('SELECT pg_backend_pid() AS pid');
    return Number(row?.['pid']);
  });
}
