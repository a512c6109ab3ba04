import { LociError } from '../domain/errors.ts';
import type { Documents } from '../ports/documents.ts';

/** For stories about memories alone: nothing is indexed, and nothing can be. */
export const noDocuments: Documents = {
  cwd: '/',
  open: async () => undefined,
  create: () => Promise.reject(new LociError('unsupported', 'this store has no documents')),
  embed: async () => [],
};
