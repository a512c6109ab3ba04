const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** `3 days ago`, `in 2 hours`, `just now`. */
export function age(iso: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(iso)) / 1000;
  const found = UNITS.find(([, size]) => Math.abs(seconds) >= size);
  if (!found) return 'just now';
  const count = Math.floor(Math.abs(seconds) / found[1]);
  const span = `${count} ${found[0]}${count === 1 ? '' : 's'}`;
  return seconds < 0 ? `in ${span}` : `${span} ago`;
}

/** `2026-03-09 16:00 UTC`. */
export function moment(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

export function day(iso: string): string {
  return iso.slice(0, 10);
}
