import { CREW_PAYS_FROM, FileCrew } from './file-crew.ts';
import type { FileFacts } from './file-work.mjs';
import { inVault } from './layout.ts';
import { listFiles } from './work-files.ts';

/** Files looked at in one message of the crew. */
const CHUNK = 1000;

/**
 * The files of a vault as they lie on disk. Many of them are read in a thread of its own, which
 * goes on while this one is busy: begin a survey before the work that needs it.
 */
export class Survey {
  /** Below the vault. */
  readonly paths: readonly string[];
  readonly #crew: FileCrew | undefined;
  readonly #answers: Promise<readonly (FileFacts | null)[]>[] = [];

  constructor(root: string, isolated: boolean) {
    this.paths = listFiles(root, isolated);
    if (this.paths.length < CREW_PAYS_FROM) return;
    this.#crew = new FileCrew();
    for (let at = 0; at < this.paths.length; at += CHUNK) {
      const part = this.paths.slice(at, at + CHUNK).map((path) => inVault(root, path));
      const answer = this.#crew.hash(part);
      // Whether it failed is found out when the facts are asked for.
      answer.catch(() => undefined);
      this.#answers.push(answer);
    }
  }

  /**
   * By path; files that nothing is known of have to be read, and all of them where they are few.
   * Asked once: it ends the survey.
   */
  async facts(): Promise<ReadonlyMap<string, FileFacts>> {
    const facts = new Map<string, FileFacts>();
    const settled = await Promise.allSettled(this.#answers);
    await this.close();
    const found = settled.flatMap((part) => (part.status === 'fulfilled' ? part.value : []));
    // Where a part is missing, what follows would be told of the wrong files.
    if (found.length < this.paths.length) return facts;
    for (const [i, path] of this.paths.entries()) {
      const fact = found[i];
      if (fact) facts.set(path, fact);
    }
    return facts;
  }

  async close(): Promise<void> {
    await this.#crew?.close();
  }
}
