import type { LociError } from '../../domain/errors.ts';
import { EXIT_CODES } from './exit-codes.ts';
import type { Shell } from './shell.ts';
import { plain, plainJson } from './terminal/plain.ts';

/** Says what went wrong and what to do next. @returns the exit code */
export function reportError(error: LociError, shell: Shell, asJson: boolean): number {
  const { code, message, hint } = error;
  if (asJson) {
    const document = { error: { code, message, hint: hint ?? '' } };
    shell.out.write(`${plainJson(JSON.stringify(document))}\n`);
  } else {
    const { style } = shell.err;
    shell.err.write(`${style.red('error:')} ${plain(message)}\n`);
    if (hint) shell.err.write(`${plain(hint)}\n`);
  }
  return EXIT_CODES[code];
}
