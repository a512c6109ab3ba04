/** Runs asynchronous work one after another, in the order it was asked for. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Whether nothing runs and nothing waits. */
  get idle(): boolean {
    return this.#waiting === 0;
  }

  take<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const turn = this.#last.then(work, work).finally(() => {
      this.#waiting -= 1;
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
