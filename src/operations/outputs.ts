import * as z from 'zod';

/**
 * Parts of result schemas: what a caller leans on. Objects are open, so that a newer result never
 * fails an older reader, and short, because agents pay for every word of a tool list;
 * `domain/results.ts` has the whole shapes. A field that can be null is left out: a plain schema
 * cannot say so.
 */

export const textList = z.array(z.string());

export const recalled = z.looseObject({ id: z.string(), body: z.string(), score: z.number() });

export const edge = z.looseObject({
  source: z.string(),
  type: z.string(),
  target: z.string(),
});

export const changed = z.looseObject({
  id: z.string(),
  version: z.number(),
  outcome: z.string(),
});

export const finding = z.looseObject({
  check: z.string(),
  severity: z.string(),
  message: z.string(),
});

export const rebuilt = z.looseObject({
  memories: z.number(),
  events: z.number(),
  edits: z.number(),
  written: z.number(),
  state_hash: z.string(),
  problems: z.array(finding),
});

/** Something of another log that was not taken. */
export const setAside = z.looseObject({ reason: z.string() });

/** What every verb of upkeep says of its run. */
export const runResult = {
  dry_run: z.boolean(),
  changes: z.array(z.looseObject({ id: z.string(), rule: z.string(), reason: z.string() })),
  skipped: z.array(z.looseObject({ id: z.string(), reason: z.string() })),
} as const;
