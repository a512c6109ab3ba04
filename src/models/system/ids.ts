import { randomFillSync } from 'node:crypto';
import { base32 } from '../../domain/identity.ts';
import type { Ids } from '../../ports/ids.ts';

const POOL_BYTES = 4096;
const ULID_TIME_CHARACTERS = 10;
const ULID_RANDOM_CHARACTERS = 16;
const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Random ids; ULIDs of one process rise even within a millisecond. */
export function randomIds(): Ids {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  const random = (length: number): Buffer => {
    if (used + length > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    used += length;
    return pool.subarray(used - length, used);
  };
  let lastMs = 0;
  let lastRandom: number[] = [];
  return {
    ulid(nowMs) {
      if (nowMs > lastMs) {
        lastMs = nowMs;
        lastRandom = [...random(ULID_RANDOM_CHARACTERS)].map((byte) => byte & 31);
      } else {
        increment(lastRandom);
      }
      return time(lastMs) + lastRandom.map((digit) => BASE32[digit]).join('');
    },
    suffix: (length) => base32(random(length), length),
    salt: () => random(16).toString('hex'),
  };
}

/** Adds one to a number written in base 32; past its end it starts again from zero. */
function increment(digits: number[]): void {
  for (let i = digits.length - 1; i >= 0; i--) {
    digits[i] = ((digits[i] as number) + 1) & 31;
    if (digits[i] !== 0) return;
  }
}

function time(ms: number): string {
  let text = '';
  for (let i = 0, rest = ms; i < ULID_TIME_CHARACTERS; i++, rest = Math.floor(rest / 32)) {
    text = BASE32[rest % 32] + text;
  }
  return text;
}
