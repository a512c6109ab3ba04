import type { Shell } from '../shell.ts';
import { bar } from './table.ts';

const INTERVAL_MS = 80;
const BAR_WIDTH = 24;

export interface ProgressBar {
  update(done: number, total?: number): void;
  /** Takes the bar off the screen again. */
  clear(): void;
}

/** A bar on stderr for long work; nothing when stderr is no terminal or `quiet`. */
export function progressBar(shell: Shell, label: string, isQuiet: boolean): ProgressBar {
  if (isQuiet || !shell.err.isTerminal) return { update() {}, clear() {} };
  let shownMs = 0;
  let isShown = false;
  return {
    update(done, total) {
      const nowMs = shell.nowMs();
      if (nowMs - shownMs < INTERVAL_MS && done !== total) return;
      shownMs = nowMs;
      isShown = true;
      const share = total ? `${bar(done / total, BAR_WIDTH)} ${done}/${total}` : String(done);
      shell.err.write(`\r\u001b[K${label} ${share}`);
    },
    clear() {
      if (isShown) shell.err.write('\r\u001b[K');
      isShown = false;
    },
  };
}
