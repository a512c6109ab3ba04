import type * as Parser from '../../domain/markdown/parse.ts';
import { LociError } from '../../domain/errors.ts';

let parser: typeof Parser | undefined;

/** Loads the YAML parser: it is large, and needed only where a person's hand is in a file. */
export async function loadParser(): Promise<typeof Parser> {
  parser ??= await import('../../domain/markdown/parse.ts');
  return parser;
}

/** The loaded parser's `patchFront`. */
export function patcher(): typeof Parser.patchFront {
  if (parser) return parser.patchFront;
  throw new LociError('internal', 'the front-matter parser was used before it was loaded');
}
