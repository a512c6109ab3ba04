import type { DocumentChange } from '../ports/documents.ts';

/** What is written stays when the rest is interrupted: not too much at a time. */
const MOST_FILES = 64;
const MOST_CHARACTERS = 1_000_000;

type Write = (changes: readonly DocumentChange[]) => Promise<void>;

/** Collects changes until they are worth a transaction. */
export class ChangeBatch {
  readonly #write: Write;
  #changes: DocumentChange[] = [];
  #characters = 0;

  constructor(write: Write) {
    this.#write = write;
  }

  async add(change: DocumentChange): Promise<void> {
    this.#changes.push(change);
    if ('sections' in change) {
      for (const { body } of change.sections) this.#characters += body.length;
    }
    const isFull = this.#changes.length >= MOST_FILES || this.#characters >= MOST_CHARACTERS;
    if (isFull) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#changes.length > 0) await this.#write(this.#changes);
    this.#changes = [];
    this.#characters = 0;
  }
}
