import type { Database } from '../sqlite/drivers/driver.ts';
import { fileAt, fileOf, type FileRecord } from './files-table.ts';
import { loadParser } from './markdown.ts';
import { readDiskFile, storedById } from './work-files.ts';

/**
 * Files that lie where another memory's did, as their ids say: somebody gave them its name, or swapped
 * the names of two. Returns what was known of these places, and where else has to be looked at.
 */
export async function displacedBy(
  paths: readonly string[],
  { database, root }: { readonly database: Database; readonly root: string },
): Promise<{ displaced: FileRecord[]; beside: Set<string> }> {
  const { parseFile } = await loadParser();
  const displaced: FileRecord[] = [];
  const beside = new Set<string>();
  const queue = [...paths];
  for (const path of queue) {
    const record = fileAt(database, path);
    const text = record && readDiskFile(root, path)?.text;
    if (text === undefined || text.includes(`\nid: ${record?.id}\n`)) continue;
    const parsed = parseFile(text);
    const id = 'problem' in parsed ? undefined : parsed.fields.id;
    if (!record || id === undefined || id === record.id || !storedById(database, id)) continue;
    displaced.push(record);
    const other = fileOf(database, id)?.path;
    if (other === undefined || queue.includes(other)) continue;
    beside.add(other);
    queue.push(other);
  }
  return { displaced, beside };
}
