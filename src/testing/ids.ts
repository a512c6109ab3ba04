import type { Ids } from '../ports/ids.ts';
import { seededRandom } from '../domain/random.ts';

const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Ids that are the same in every run; sources with different seeds never give the same one. */
export function testIds(seed: number): Ids {
  const random = seededRandom(seed);
  const characters = (length: number): string => {
    let text = '';
    for (let i = 0; i < length; i++) text += BASE32[Math.floor(random() * 32)];
    return text;
  };
  let lastMs = 0;
  let count = 0;
  return {
    ulid(nowMs) {
      lastMs = Math.max(lastMs, nowMs);
      count += 1;
      return encode(lastMs, 10) + encode(count, 6) + characters(10);
    },
    suffix: characters,
    salt() {
      let hex = '';
      while (hex.length < 32) hex += Math.floor(random() * 16).toString(16);
      return hex;
    },
  };
}

function encode(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) {
    text = BASE32[rest % 32] + text;
  }
  return text;
}
