import { piecesOf } from '../text/analyse.ts';
import type { Piece } from '../text/piece.ts';
import { stem } from '../text/stem.ts';
import { bloomBit } from './bloom.ts';
import { addOne, type Field } from './counts.ts';
import { KEYWORD } from './weights.ts';

/** The fields of a memory that keyword search reads. */
export interface EntrySource {
  title?: string | undefined;
  body: string;
  tags: readonly string[];
  speaker?: string | undefined;
  paths?: readonly string[] | undefined;
  /** ISO time; its month is searchable by its English name. */
  created_at: string;
}

/** What the index keeps of a memory. */
export interface IndexEntry {
  /** Words of the body; an integer. */
  length: number;
  terms: Map<string, Posting>;
}

interface Posting {
  /** Counts by field, 16 bits (counts.ts). */
  counts: number;
  /** Bits of the terms that follow it in a field other than context, 32 bits (bloom.ts). */
  next: number;
}

const MONTHS =
  'january february march april may june july august september october november december'
    .split(' ')
    .map(stem);

/**
 * Index entry of a memory.
 * @param previous the preceding memory of the same session, if there is one: its first words
 *   become the field `context`, so that an answer is found by the words of its question. They do
 *   not count as length.
 */
export function entryOf(memory: EntrySource, previous: EntrySource | undefined): IndexEntry {
  const terms = new Map<string, Posting>();
  const body = piecesOf(memory.body);
  add(terms, body, 'body');
  if (memory.title) add(terms, piecesOf(memory.title), 'head');
  if (memory.speaker) add(terms, piecesOf(memory.speaker), 'head');
  const month = MONTHS[Number(memory.created_at.slice(5, 7)) - 1];
  if (month !== undefined) postingOf(terms, month, 'head');
  for (const tag of memory.tags) add(terms, piecesOf(tag), 'tags');
  for (const path of memory.paths ?? []) add(terms, piecesOf(path), 'tags');
  if (previous) add(terms, contextOf(previous.body), 'context');

  let length = 0;
  for (const piece of body) if (piece.inStream) length += 1;
  return { length, terms };
}

function postingOf(terms: Map<string, Posting>, term: string, field: Field): Posting {
  let posting = terms.get(term);
  if (posting === undefined) terms.set(term, (posting = { counts: 0, next: 0 }));
  posting.counts = addOne(posting.counts, field);
  return posting;
}

function add(terms: Map<string, Posting>, pieces: readonly Piece[], field: Field): void {
  let before: Posting | undefined;
  for (const piece of pieces) {
    const posting = postingOf(terms, piece.term, field);
    if (!piece.inStream) continue;
    if (piece.adjacent && before && field !== 'context') {
      before.next |= bloomBit(piece.term);
    }
    before = posting;
  }
}

/** First words of a text. Only its beginning is read; a word cut by that is left out. */
function contextOf(body: string): Piece[] {
  const beginning = body.slice(0, KEYWORD.contextTokens * 24);
  const pieces = piecesOf(beginning);
  if (beginning.length < body.length) pieces.pop();
  return pieces.slice(0, KEYWORD.contextTokens);
}
