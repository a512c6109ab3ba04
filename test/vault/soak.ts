import { appendFileSync } from 'node:fs';

/** Set by `npm run soak`: where to put the figures of the long run. */
const report = process.env['SOAK_REPORT'];

/** A few rounds where tests run, all of them in the long run. */
export function rounds(few: number, all: number): number {
  return report === undefined ? few : all;
}

export const SOAK_TIMEOUT_MS = 600_000;

export function figure(what: string, value: string): void {
  if (report !== undefined) appendFileSync(report, `${what}: ${value}\n`);
}
