import type { OtherStores } from '../ports/logs.ts';

/** For a library that is to reach no store but its own. */
export const noOtherStores: OtherStores = {
  readLog: () => Promise.reject(new Error('no other store is read here')),
  open: () => Promise.reject(new Error('no other store is opened here')),
};
