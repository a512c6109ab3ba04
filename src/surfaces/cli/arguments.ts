/**
 * Bodies and questions may begin with a dash (`- a list`, `---`, `-042`), and the option parser
 * takes whatever does for an option. Such arguments are marked with a NUL, which the system never
 * passes in an argument, and `unguarded` takes the mark off.
 */
const MARK = '\0';

/** Short options of all commands: `-d./memory` is one, `-SQLite` is a word. */
const SHORT = /^-[dpaqhV]\S*$/;
const SINGLE = /^-[A-Za-z]$/;
const LONG = /^--[A-Za-z][\w-]*(=|$)/;

export function guarded(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  return argv.map((argument, i) => {
    const isText = argument.startsWith('-') && argument.length > 1 && !isOption(argument);
    return isText && (end < 0 || i < end) ? MARK + argument : argument;
  });
}

function isOption(argument: string): boolean {
  return [SHORT, SINGLE, LONG].some((form) => form.test(argument)) || argument === '--';
}

export function unguarded(argument: string): string {
  return argument.startsWith(MARK) ? argument.slice(MARK.length) : argument;
}

/** Whether an answer in JSON is asked for; known even when the rest cannot be parsed. */
export function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).includes('--json');
}
