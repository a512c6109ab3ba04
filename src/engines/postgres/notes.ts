import type { Session } from './driver.ts';
import { plain } from './parameters.ts';

export async function readNote(session: Session, name: string): Promise<string | undefined> {
  const [row] = await session.query('SELECT body FROM notes WHERE name = $1::text', [plain(name)]);
  return row?.['body'] as string | undefined;
}

export function writeNote(session: Session, name: string, body: string): void {
  session.send(
    `INSERT INTO notes (name, body) VALUES ($1::text, $2::text)
     ON CONFLICT (name) DO UPDATE SET body = excluded.body`,
    [plain(name), plain(body)],
  );
}

/** Notes may tell of what is purged; whoever made them makes them again. */
export function dropNotes(session: Session): void {
  session.send('DELETE FROM notes');
}
