import type { Session } from './driver.ts';

/**
 * Which database this is. One that was restored from a dump is another: a copy of a store, which must
 * not go on giving out the same sequence numbers. A standby that takes over is the same.
 */
export async function databaseIdentity(session: Session): Promise<string> {
  const [row] = await session.query(
    `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system, oid::text AS database
     FROM pg_database WHERE datname = current_database()`,
  );
  return `${String(row?.['system'])}:${String(row?.['database'])}`;
}
