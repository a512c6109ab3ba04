import type { OperationIo, Operation } from '../../operations/operation.ts';
import { ASKED_FOR, fullness, USUAL, type Ceiling } from './ceiling.ts';
import { cutNotes, fromOffset, readOffset, whatFits } from './get-page.ts';
import { receiptsThatFit } from './receipts-page.ts';
import { shorten } from './shorten.ts';
import type { Store } from './store.ts';
import { textOf, type Result } from './text.ts';

type Input = Readonly<Record<string, unknown>>;

export interface Page {
  readonly result: Result;
  readonly text: string;
}

const MOST: Readonly<Record<string, number>> = { limit: 100, maxTokens: 6_500 };
/** Verbs that rank, and keep to a number or to a token budget. */
const RECALLS: ReadonlySet<string> = new Set(['recall', 'recall-docs']);
/** Verbs that fill a token budget, those that rank and those that open a session. */
const BUDGETED: ReadonlySet<string> = new Set([...RECALLS, 'context', 'checkpoint']);
const MAX_CUTS = 12;
/** Characters of a body that a listing shows at least. */
const PREVIEW = 160;

/**
 * Runs a verb and keeps its reply below the ceiling: first by asking the verb for less, which keeps
 * cursors and token counts right, then by cutting. What is left out is said.
 */
export async function runPaged(
  operation: Operation,
  store: Store,
  { offset, ...input }: Input,
  io: OperationIo,
): Promise<Page> {
  const { name } = operation;
  const start = readOffset(offset);
  const run = async (asked: Input): Promise<Result> => {
    const result = (await operation.run(store, asked, io)) as Result;
    if (name === 'get') return fromOffset(result, start);
    // A budget of the caller's own decides how many; one of ours leaves the caller's limit in force.
    const limit = input.maxTokens === undefined ? input.limit : undefined;
    return RECALLS.has(name) ? atMost(result, limit) : result;
  };

  const asked = clamped(operation, input);
  const whole = await run(asked);
  const ceiling = ceilingFor(name, input, whole);
  const full = (result: Result): number => fullness(textOf(name, result), result, ceiling);
  let result = whole;
  if (full(whole) > 1) {
    if (name === 'get') result = whatFits(whole, full);
    else if (name === 'remember') result = receiptsThatFit(whole, full);
    else result = await askForLess(name, asked, whole, run, full);
  }
  const cut = cutToFit(result, full);
  const notes = name === 'get' ? cutNotes(whole, cut.result, start) : cut.notes.slice(-3);
  const page = withWarnings(cut.result, notes);
  return { result: page, text: textOf(name, page) };
}

/** A caller who names a budget or a single id gets that much twice: as text and as JSON. */
function ceilingFor(name: string, input: Input, result: Result): Ceiling {
  if (BUDGETED.has(name)) return input.maxTokens ? ASKED_FOR : USUAL;
  const single = name === 'get' && (result.memories as unknown[]).length === 1;
  return single && !input.history ? ASKED_FOR : USUAL;
}

/** No reply holds more than this; a value that the verb would refuse is left for it to refuse. */
function clamped({ input: { shape } }: Operation, input: Input): Input {
  const lower = Object.entries(MOST).filter(
    ([field, most]) => Number(input[field]) > most && shape[field]?.safeParse(input[field]).success,
  );
  return lower.length === 0 ? input : { ...input, ...Object.fromEntries(lower) };
}

async function askForLess(
  name: string,
  first: Input,
  whole: Result,
  run: (input: Input) => Promise<Result>,
  full: (result: Result) => number,
): Promise<Result> {
  let asked = first;
  let result = name === 'search' ? previews(whole, full) : whole;
  for (let over = full(result), i = 0; over > 1 && i < 3; over = full(result), i++) {
    const less = narrower(name, asked, result, over);
    if (!less) break;
    asked = less;
    result = withWarnings(await run(asked), [MORE[name] ?? '']);
    if (name === 'search') result = previews(result, full);
  }
  return result;
}

const MORE: Readonly<Record<string, string>> = {
  search: 'a reply holds fewer rows than were asked for; go on with the cursor',
  recall: 'a reply holds fewer memories than were asked for; ask more precisely, or use search',
  context: 'a reply holds fewer memories than were asked for',
  checkpoint: 'a reply holds fewer memories than were asked for',
  'recall-docs': 'a reply holds fewer sections than were asked for; ask more precisely',
};

/** A listing keeps its rows and shortens their bodies, as far as they stay recognisable. */
function previews(result: Result, full: (result: Result) => number): Result {
  const over = full(result);
  const shorter = over > 1 ? shorten(result, over, PREVIEW)?.result : undefined;
  // Where no text is long, rows would go, which the cursor counts as told.
  return shorter && rowsOf(shorter) === rowsOf(result) ? shorter : result;
}

function rowsOf({ results }: Result): number {
  return (results as readonly unknown[]).length;
}

/** What to ask the verb for instead, so that its answer fits. */
function narrower(name: string, asked: Input, result: Result, over: number): Input | undefined {
  const factor = 0.9 / over;
  if (name === 'search') {
    const rows = rowsOf(result);
    return rows > 1 ? { ...asked, limit: Math.max(1, Math.floor(rows * factor)) } : undefined;
  }
  if (!BUDGETED.has(name)) return undefined;
  const budget = Math.floor((result.tokens_used as number) * factor);
  const { limit: _limit, ...rest } = asked;
  return budget >= 50 ? { ...rest, maxTokens: budget } : undefined;
}

/** A budget puts no limit on the number of memories; the caller's still holds. */
function atMost(result: Result, limit: unknown): Result {
  const results = result.results as unknown[];
  const most = Number(limit ?? Infinity);
  return results.length <= most ? result : { ...result, results: results.slice(0, most) };
}

function cutToFit(
  whole: Result,
  full: (result: Result) => number,
): { result: Result; notes: string[] } {
  let result = whole;
  const notes: string[] = [];
  for (let i = 0; i < MAX_CUTS; i++) {
    const over = full(result);
    const shorter = over > 1 ? shorten(result, over) : undefined;
    if (!shorter) break;
    result = shorter.result;
    notes.push(...shorter.notes);
  }
  return { result, notes };
}

function withWarnings(result: Result, more: readonly string[]): Result {
  if (more.length === 0) return result;
  const warnings = (result.warnings ?? []) as readonly string[];
  return { ...result, warnings: [...new Set([...warnings, ...more])] };
}
