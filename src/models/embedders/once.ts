export interface Once<T> {
  (): Promise<T>;
  /** Hands over what was begun, to be ended, and forgets it; undefined if nobody asked. */
  take(): Promise<T> | undefined;
}

/** Does work once for all who ask, until it succeeds: what failed is tried again by the next. */
export function once<T>(work: () => Promise<T>): Once<T> {
  let doing: Promise<T> | undefined;
  const ask = (): Promise<T> =>
    (doing ??= work().catch((error: unknown) => {
      doing = undefined;
      throw error;
    }));
  const take = (): Promise<T> | undefined => {
    const begun = doing;
    doing = undefined;
    return begun;
  };
  return Object.assign(ask, { take });
}
