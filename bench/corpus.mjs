import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Memories and questions made from this project's own words: real frequencies, real identifiers,
 * no data of anybody else. The same seed and the same documents give the same corpus.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WORDS_A_MEMORY = 63;
const WORDS_A_QUESTION = 6;
const TYPES = /** @type {const} */ ([
  'fact',
  'decision',
  'constraint',
  'belief',
  'preference',
  'procedure',
]);

/**
 * @typedef {object} BenchMemory
 * @property {string} body
 * @property {string} title
 * @property {(typeof TYPES)[number]} type
 * @property {readonly string[]} tags
 * @property {string} project
 */

/**
 * A generator of numbers from 0 to 1 (mulberry32).
 * @param {number} seed
 */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Every word of the project's documents, in order, so that drawing keeps frequencies. */
function projectWords() {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  return [...readdirSync(ROOT), ...docs.map((name) => join('docs', name))]
    .filter((path) => path.endsWith('.md'))
    .sort()
    .flatMap((path) => readFileSync(join(ROOT, path), 'utf8').match(/[A-Za-z][\w.-]*\w/g) ?? []);
}

/** @type {string[] | undefined} */
let vocabulary;

/**
 * @param {number} count
 * @param {number} seed
 * @returns {BenchMemory[]}
 */
export function memories(count, seed) {
  const words = (vocabulary ??= projectWords());
  const random = randomOf(seed);
  const word = () => draw(words, random);
  return Array.from({ length: count }, (_, i) => {
    const text = Array.from({ length: WORDS_A_MEMORY - 1 }, word);
    // A word of its own makes every text unique and asks the vocabulary to grow, as real notes do.
    text.splice(Math.floor(random() * text.length), 0, `item-${seed}-${i}`);
    return {
      body: `${text.join(' ')}.`,
      title: `${word()} ${word()} ${word()}`,
      type: draw(TYPES, random),
      tags: [word().toLowerCase(), word().toLowerCase()],
      project: 'bench',
    };
  });
}

/**
 * Questions: six words that stand in one memory, stop words among them as in any sentence.
 * @param {readonly BenchMemory[]} corpus
 * @param {number} count
 * @param {number} seed
 */
export function questions(corpus, count, seed = 2) {
  const random = randomOf(seed);
  return Array.from({ length: count }, () => {
    const words = draw(corpus, random).body.slice(0, -1).split(' ');
    return Array.from({ length: WORDS_A_QUESTION }, () => draw(words, random));
  });
}

/**
 * @template T
 * @param {readonly T[]} list not empty
 * @param {() => number} random
 * @returns {T}
 */
function draw(list, random) {
  return /** @type {T} */ (list[Math.floor(random() * list.length)]);
}
