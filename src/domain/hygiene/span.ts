/** A part of a text that must not be kept, from `start` until before `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}
