import type { Environment } from '../../../config.ts';

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  cyan: [36, 39],
} as const;

/** Colours by name; without colour each returns its text as it is. */
export type Style = Readonly<Record<keyof typeof CODES, (text: string) => string>>;

export function styleFor(hasColour: boolean): Style {
  const entries = Object.entries(CODES).map(([name, [on, off]]) => [
    name,
    (text: string) => (hasColour && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text),
  ]);
  return Object.fromEntries(entries) as Style;
}

/** `NO_COLOR` and `FORCE_COLOR` as their conventions have it, `TERM=dumb`, else: on a terminal. */
export function wantsColour(env: Environment, isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !['0', 'false'].includes(env.FORCE_COLOR);
  return isTerminal && env.TERM !== 'dumb';
}
