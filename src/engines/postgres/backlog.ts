import { passagesOf } from '../../domain/embedding.ts';
import type { PendingText } from '../../ports/engine.ts';
import type { Row, Session } from './driver.ts';
import { list } from './parameters.ts';
import { memoryOf } from './rows.ts';
import { lacksVectors } from './vectors.ts';
import { adoptVectors, readModel, type ModelRow } from './vector-tables.ts';

/** Memories looked at for missing vectors at a time. */
const PAGE = 512;

/** Numbers of memories (`sequence`), without the first and the last. */
interface Span {
  readonly above: number;
  readonly below: number;
}

/**
 * Finds texts without vectors, newest first, and remembers what it has looked at: whoever embeds a
 * backlog asks again and again, and what was handed out before has vectors by then. What has none after
 * all, because it was refused, is found when everything else is done.
 */
export class Backlog {
  /** By model: what was looked at since the whole was, under the number that the model had then; 0 = none. */
  readonly #seen = new Map<string, Span & { readonly model: number }>();
  /** Models of which texts were handed out, and no vectors came since. */
  readonly #waiting = new Set<string>();

  /** Vectors of a model came. */
  kept(fingerprint: string): void {
    this.#waiting.delete(fingerprint);
  }

  async read(
    session: Session,
    fingerprint: string,
    limit: number,
  ): Promise<readonly PendingText[]> {
    const [model, [store]] = await Promise.all([
      readModel(session, fingerprint),
      session.query('SELECT sequence FROM store'),
    ]);
    const number = model?.model ?? 0;
    const before = this.#seen.get(fingerprint)?.model;
    // Nothing came of what was handed out, or the model was dropped: from the newest on again.
    if (this.#waiting.has(fingerprint) || (before && before !== number)) {
      this.#seen.delete(fingerprint);
    }
    const look = new Look(session, model, limit);
    const whole: Span = {
      above: model?.complete ?? 0,
      below: Number(store?.['sequence'] ?? 0) + 1,
    };
    const seen = this.#seen.get(fingerprint);
    if (seen) {
      const newer = await look.through({ above: seen.below - 1, below: whole.below });
      // Full before the end: what is left of the newer ones is looked at again.
      if (newer > seen.below) return this.#handOut(fingerprint, look);
      const reached = await look.through({ above: whole.above, below: seen.above + 1 });
      this.#seen.set(fingerprint, { model: number, above: reached - 1, below: whole.below });
    }
    if (look.isEmpty) {
      const reached = await look.through(whole);
      this.#seen.set(fingerprint, { model: number, above: reached - 1, below: whole.below });
    }
    if (look.isEmpty) {
      this.#seen.delete(fingerprint);
      const last = whole.below - 1;
      if (model && last > model.complete) markComplete(session, model, last);
    }
    return this.#handOut(fingerprint, look);
  }

  #handOut(fingerprint: string, look: Look): readonly PendingText[] {
    if (!look.isEmpty) this.#waiting.add(fingerprint);
    return look.found();
  }
}

/** One search for texts without vectors. */
class Look {
  readonly #session: Session;
  readonly #model: ModelRow | undefined;
  readonly #limit: number;
  readonly #pending = new Map<string, PendingText>();

  constructor(session: Session, model: ModelRow | undefined, limit: number) {
    this.#session = session;
    this.#model = model;
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#pending.size === 0;
  }

  found(): readonly PendingText[] {
    return [...this.#pending.values()];
  }

  /**
   * Looks through a span until enough is found.
   * @returns the number of the last memory that was taken or needed nothing
   */
  async through({ above, below }: Span): Promise<number> {
    let at = below;
    while (this.#pending.size < this.#limit) {
      const rows = await this.#page({ above, below: at });
      if (rows.length === 0) return above + 1;
      const lacking = new Set(await this.#unadopted(rows));
      for (const row of rows) {
        if (this.#pending.size === this.#limit) return at;
        at = Number(row['sequence']);
        const key = row['text_key'] as string;
        if (!lacking.has(row) || this.#pending.has(key)) continue;
        this.#pending.set(key, { key, passages: passagesOf(memoryOf(row)) });
      }
    }
    return at;
  }

  #page({ above, below }: Span): Promise<readonly Row[]> {
    return this.#session.query(
      `SELECT m.project, m.text_key, m.sequence, m.data FROM memories m
       WHERE m.sequence > $2::bigint AND m.sequence < $3::bigint AND ${lacksVectors()}
       ORDER BY m.sequence DESC LIMIT ${PAGE}`,
      [this.#model?.model ?? 0, above, below],
    );
  }

  /** What another project has embedded already is adopted. */
  async #unadopted(rows: readonly Row[]): Promise<readonly Row[]> {
    const model = this.#model;
    if (!model) return rows;
    const texts = rows.map((row) => ({
      project: row['project'] as string,
      key: row['text_key'] as string,
    }));
    if (!(await adoptVectors(this.#session, model.model, texts))) return rows;
    const still = await this.#session.query(
      `SELECT m.sequence FROM memories m
       WHERE m.sequence = ANY($2::bigint[]) AND ${lacksVectors()}`,
      [model.model, list(rows.map((row) => Number(row['sequence'])))],
    );
    const lacking = new Set(still.map((row) => Number(row['sequence'])));
    return rows.filter((row) => lacking.has(Number(row['sequence'])));
  }
}

function markComplete(session: Session, { model }: ModelRow, sequence: number): void {
  session.send(
    'UPDATE vector_models SET complete = $2::bigint WHERE model = $1::integer AND complete < $2::bigint',
    [model, sequence],
  );
}
