import type { Parameter, Row, Session } from './driver.ts';

type Run = (
  sql: string,
  parameters: readonly Parameter[],
) => Promise<{ readonly rows: readonly Row[] }>;

/** Calls in one statement: the server takes 1,664 columns of an answer. */
const MOST_CALLS = 200;

/** The statements of one transaction, in the order they were sent. */
export class Statements implements Session {
  readonly #run: Run;
  readonly #runScript: (sql: string) => Promise<unknown>;
  readonly #answers: Promise<unknown>[] = [];
  readonly #calls: { readonly name: string; readonly parameters: readonly Parameter[] }[] = [];

  constructor(run: Run, runScript: (sql: string) => Promise<unknown>) {
    this.#run = run;
    this.#runScript = runScript;
  }

  async query(sql: string, parameters: readonly Parameter[] = []): Promise<readonly Row[]> {
    this.flush();
    const { rows } = await this.#keep(this.#run(sql, parameters));
    return rows;
  }

  send(sql: string, parameters: readonly Parameter[] = []): void {
    this.flush();
    void this.#keep(this.#run(sql, parameters));
  }

  call(name: string, parameters: readonly Parameter[]): void {
    this.#calls.push({ name, parameters });
    if (this.#calls.length >= MOST_CALLS) this.flush();
  }

  /** Sends the calls that wait. */
  flush(): void {
    const calls = this.#calls.splice(0);
    if (calls.length === 0) return;
    let place = 0;
    const list = calls.map(({ name, parameters }) => {
      const places = parameters.map(() => `$${++place}`);
      return `${name}(${places.join(', ')})`;
    });
    this.send(
      `SELECT ${list.join(', ')}`,
      calls.flatMap(({ parameters }) => parameters),
    );
  }

  async script(sql: string): Promise<void> {
    this.flush();
    await this.#keep(this.#runScript(sql));
  }

  /** Resolves when all have succeeded. */
  async all(): Promise<void> {
    this.flush();
    await Promise.all(this.#answers);
  }

  /** After one statement has failed all later ones do, and say nothing of why. */
  async firstFailure(otherwise: unknown): Promise<unknown> {
    for (const outcome of await Promise.allSettled(this.#answers)) {
      if (outcome.status === 'rejected') return outcome.reason;
    }
    return otherwise;
  }

  #keep<T>(answer: Promise<T>): Promise<T> {
    answer.catch(() => undefined);
    this.#answers.push(answer);
    return answer;
  }
}
