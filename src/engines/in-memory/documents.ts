import { withoutReader, withReader, type DocumentReader } from '../../domain/document-reader.ts';
import type { Memory } from '../../domain/memory.ts';
import type {
  DocumentChange,
  DocumentFile,
  DocumentRoot,
  DocumentStore,
} from '../../ports/documents.ts';
import { InMemoryEngine, type InMemoryOptions } from './engine.ts';

interface Kept {
  readonly file: DocumentFile;
  readonly ids: readonly string[];
}

interface Root {
  readers: readonly DocumentReader[];
  readonly files: Map<string, Kept>;
}

/** Documents of a store in memory: what other stores of documents must answer like. */
export class InMemoryDocuments implements DocumentStore {
  readonly engine: InMemoryEngine;
  readonly #roots = new Map<string, Root>();

  constructor(options: Omit<InMemoryOptions, 'isolated'>) {
    this.engine = new InMemoryEngine(options);
  }

  async roots(): Promise<readonly DocumentRoot[]> {
    return [...this.#roots].map(([path, { readers }]) => ({ path, readers }));
  }

  async files(root: string, only?: readonly string[]): Promise<readonly DocumentFile[]> {
    const all = [...(this.#roots.get(root)?.files.values() ?? [])].map(({ file }) => file);
    return only ? all.filter(({ file }) => only.includes(file)) : all;
  }

  async write(
    root: string,
    reader: DocumentReader,
    changes: readonly DocumentChange[],
  ): Promise<void> {
    const { readers, files } = this.#roots.get(root) ?? { readers: [], files: new Map() };
    this.#roots.set(root, { readers: withReader(readers, reader), files });
    for (const change of changes) {
      const name = 'gone' in change ? change.gone : change.file.file;
      const before: readonly string[] = files.get(name)?.ids ?? [];
      if ('gone' in change) {
        this.engine.derive(before, []);
        files.delete(name);
      } else if ('sections' in change) {
        const { file, sections } = change;
        this.engine.derive(before, sections);
        files.set(name, { file, ids: sections.map(({ id }: Memory) => id) });
      } else files.set(name, { file: change.file, ids: before });
    }
  }

  async forget(root: string, reader: DocumentReader): Promise<void> {
    const known = this.#roots.get(root);
    if (!known) return;
    known.readers = withoutReader(known.readers, reader);
    if (known.readers.length > 0) return;
    for (const { ids } of known.files.values()) this.engine.derive(ids, []);
    this.#roots.delete(root);
  }
}
