/**
 * Which terms follow a term in a memory, as one bit of 32 for each: `next` of a posting. A query
 * pair (a, b) holds in a document when b stands in it and b's bit is set in a's `next`; it errs
 * for about one pair in twenty of a memory of 60 words, always towards yes. Signed, as bit operations
 * make it: small integers take no room of their own.
 */
export function bloomBit(term: string): number {
  // FNV-1a over UTF-16 units; the upper five bits are the best mixed.
  let hash = 0x811c9dc5;
  for (let i = 0; i < term.length; i += 1) {
    hash ^= term.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return 1 << (hash >>> 27);
}
