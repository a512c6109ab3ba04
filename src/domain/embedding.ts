import { canonicalJson } from './canonical.ts';
import { sha256 } from './hash.ts';
import type { Memory } from './memory.ts';

/** What made a vector. Two vectors may be compared only if all of this is equal. */
export interface EmbeddingModel {
  /** builtin, use-lite, openai, voyage, ollama, transformers, fake. */
  readonly provider: string;
  readonly model: string;
  /** Of the weights, where the provider knows one. */
  readonly revision?: string;
  readonly dimensions: number;
  /** What stands before the text of a question and of a memory. */
  readonly queryPrefix: string;
  readonly documentPrefix: string;
}

/** Key of all vectors of a model, in hex. */
export function fingerprintOf(model: EmbeddingModel): string {
  return sha256(canonicalJson(model)).slice(0, 32);
}

/** Words of a passage. A passage ends at the end of a sentence or line where there is one. */
const PASSAGE_WORDS = 80;
/** What is longer than most words counts as several. */
const WORD_LENGTH = 12;
/** Scripts without spaces: two characters are about a word. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/gu;
const SENTENCE = /[^.!?。！？\n]+(?:[.!?]+(?=\s|$)|[。！？]+|\n+|[.!?]|$)/gu;
const PIECE = /^\s*\S{1,24}\s*|\S{1,24}\s*/gu;

/** What is embedded of a memory: its passages, each under its title. At least one. */
export function passagesOf({ title, body }: Pick<Memory, 'title' | 'body'>): readonly string[] {
  const head = title ? `${title}\n` : '';
  return splitPassages(body).map((passage) => head + passage);
}

/** Key of the vectors of these passages within a model, in hex: equal text is embedded once. */
export function passagesKey(passages: readonly string[]): string {
  return sha256(canonicalJson(passages)).slice(0, 32);
}

function splitPassages(body: string): readonly string[] {
  const passages: string[] = [];
  let current: string[] = [];
  let words = 0;
  for (const sentence of (body.match(SENTENCE) ?? []).flatMap(bounded)) {
    const count = countWords(sentence);
    if (words > 0 && words + count > PASSAGE_WORDS) {
      passages.push(current.join('').trim());
      current = [];
      words = 0;
    }
    current.push(sentence);
    words += count;
  }
  const last = current.join('').trim();
  if (last !== '' || passages.length === 0) passages.push(last === '' ? body : last);
  return passages;
}

/** A sentence, in pieces if it is longer than a passage: nothing may be lost at a model's limit. */
function bounded(sentence: string): readonly string[] {
  return countWords(sentence) > PASSAGE_WORDS ? (sentence.match(PIECE) ?? []) : [sentence];
}

function countWords(text: string): number {
  const words = text.split(/\s+/);
  const long = words.reduce((sum, { length }) => sum + Math.floor(length / (WORD_LENGTH + 1)), 0);
  return words.length + long + (text.match(UNSPACED)?.length ?? 0) / 2;
}
