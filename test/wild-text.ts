import * as fc from 'fast-check';

/** Texts that have broken tools of this kind. */
export const NASTY = [
  '---\ntitle: not front matter\n---\nbody',
  '---',
  '--- \n',
  'a\r\nb\r\n',
  'ends with a return\r',
  'lone \r return',
  '\n\nleading and trailing\n\n',
  '\ufeffwith a mark',
  'line\u2028separator\u2029and\u0085next',
  '\u2028---\u2028',
  '<!-- loci:relations -->',
  'x\n\n<!-- loci:relations -->\n- a\n<!-- /loci:relations -->',
  'x\n<!-- mk:relations -->\n- a\n<!-- /mk:relations -->',
  '<<<<<<< ours\nonly the beginning',
  '======= a heading =======\n=======',
  '> [!info] Callout\n- [x] done\n#934 [[Roadmap|plan]] `#define X`',
  'it\'s "quoted" \\ and `ticked`',
  '%done @owner *Draft* &anchor !tag | > ? : - # {a: b} [c]',
  'null',
  'yes',
  '~',
  '0x1F',
  '1e5',
  '12:30:00',
  '2026-03-09',
  '.inf',
  '__proto__',
  "'; DROP TABLE memories; --",
  'NEAR( AND OR NOT *',
  'ADR-042 v1.9 src/main.ts E11000',
  '京都で紅葉狩り 회의에서 深色主题 ภาษาไทย',
  'Cafe\u0301 Café',
  '👩‍👩‍👧 🏳️‍🌈 🚀',
  '\u202eright to left\u202c',
  '\\u0000 is six characters',
  'tab\there\u0007bell',
] as const;

/** What no store can hold; the gate takes it out. */
const UNHOLDABLE = ['nul \0 inside', 'lone \ud800 surrogate', '\udc00', '\0'];

/** Well-formed text without NUL: what a store holds. */
export const heldText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  {
    weight: 2,
    arbitrary: fc
      .string({ unit: 'binary', maxLength: 20 })
      .map((text) => text.replaceAll('\0', '')),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...NASTY), fc.constantFrom(...NASTY))
      .map((two) => two.join('\n')),
  },
);

/** Whatever anybody may type, send or paste. */
export const wildText: fc.Arbitrary<string> = fc.oneof(
  { weight: 9, arbitrary: heldText },
  { weight: 1, arbitrary: fc.constantFrom(...UNHOLDABLE) },
);
