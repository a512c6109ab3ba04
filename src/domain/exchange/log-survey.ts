import { coversOf } from '../compaction.ts';
import type { LogEvent } from '../event.ts';
import { LogChains } from '../log-chain.ts';

/**
 * Whether events that are seen one after another are a log of their own: each replica's chain from
 * its first event on, and every transaction whole, but for what they say was dropped. Only then do
 * they stand in another store as they are.
 */
export class LogSurvey {
  readonly #chains = new LogChains();
  readonly #compactions: LogEvent[] = [];

  add(event: LogEvent): void {
    this.#chains.add(event);
    if (event.kind === 'log.compacted') this.#compactions.push(event);
  }

  get isWhole(): boolean {
    return this.#chains.problems(coversOf(this.#compactions)).length === 0;
  }
}
