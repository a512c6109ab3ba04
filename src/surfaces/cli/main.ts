import { CommanderError } from 'commander';
import { asLociError, LociError } from '../../domain/errors.ts';
import { asksForJson, guarded } from './arguments.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { buildProgram } from './program.ts';
import { reportError } from './report-error.ts';
import { processShell, type Shell } from './shell.ts';

/** Runs one command line. @returns the exit code */
async function run(argv: readonly string[], shell: Shell): Promise<number> {
  let exitCode = 0;
  const program = buildProgram(shell, (code) => (exitCode = code), argv);
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(guarded(argv), { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return 0; // help or version was shown
    return reportError(asLociError(error), shell, asksForJson(argv));
  }
}

// A reader such as `head` that has seen enough is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    if (stream === process.stdout) {
      const message = `the answer cannot be written (${error.code})`;
      const hint = 'What was asked for may be done: look before you ask again.';
      reportError(new LociError('unavailable', message, hint), processShell(), false);
    }
    process.exit(EXIT_CODES.unavailable);
  });
}

async function main(): Promise<void> {
  if (!hasFolder()) {
    process.stderr.write('error: the current folder is gone\nGo to one that is there.\n');
    process.exitCode = EXIT_CODES.unavailable;
    return;
  }
  process.exitCode = await run(process.argv.slice(2), processShell());
}

function hasFolder(): boolean {
  try {
    return process.cwd() !== '';
  } catch {
    return false;
  }
}

void main(); // not awaited: the program is bundled as a function, which cannot
