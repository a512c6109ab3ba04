import { MAX_SEGMENT_DOCS } from './segment.ts';

/** Documents a space collects before they become a segment. */
export const FLUSH_AT = 256;
/** Segments of one size class that are merged into the next. */
const FAN_OUT = 8;

/** A segment, and how many documents it holds. */
export interface SegmentSize {
  readonly segment: number;
  readonly n: number;
}

/**
 * Segments of one size class when there are enough to merge: as many as one segment holds. Those that
 * are more than half full stay as they are. So their number grows with the logarithm.
 * @param segments of one space, oldest first
 */
export function segmentsToMerge(segments: readonly SegmentSize[]): readonly number[] | undefined {
  const classes = new Map<number, SegmentSize[]>();
  for (const one of segments) {
    if (one.n > MAX_SEGMENT_DOCS / 2) continue;
    const sizeClass = Math.floor(Math.log(Math.max(1, one.n / FLUSH_AT)) / Math.log(FAN_OUT));
    const members = classes.get(sizeClass);
    if (members) members.push(one);
    else classes.set(sizeClass, [one]);
  }
  for (const members of classes.values()) {
    if (members.length < FAN_OUT) continue;
    const fitting: number[] = [];
    let room = MAX_SEGMENT_DOCS;
    for (const { segment, n } of members) {
      if (n > room) continue;
      fitting.push(segment);
      room -= n;
    }
    return fitting;
  }
  return undefined;
}
