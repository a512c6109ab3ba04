import type { z } from 'zod';
import type { LociError } from '../domain/errors.ts';
import type { Loci } from '../loci.ts';

/** Who is offered a verb: `core` every agent, `full` agents on request, `cli` people only. */
export type Audience = 'core' | 'full' | 'cli';

/** One verb, defined once: command line, MCP and the reference docs are derived from it. */
export interface Operation {
  readonly name: string;
  readonly title: string;
  /** One or two sentences on what it does and when to use it. */
  readonly description: string;
  readonly audience: Audience;
  /** Fields in the library's spelling; surfaces rename them. */
  readonly input: z.ZodObject;
  /**
   * The fields that a short tool list shows; the others are accepted all the same. Absent = all.
   */
  readonly published?: readonly string[];
  /**
   * What a caller leans on in the JSON of the result; there are further keys. Verbs make it when it is
   * asked for: a command never does, and starts the sooner.
   */
  readonly output: z.ZodObject;
  readonly annotations: {
    readonly readOnly: boolean;
    readonly destructive: boolean;
    readonly idempotent: boolean;
  };
  /** How the command line offers it; absent = not at all. */
  readonly cli?: CommandForm;
  /** What it answers about a store that cannot be opened; absent = that is an error. */
  unopened?(error: LociError): unknown;
  /** `input` has the library's spelling and is not checked yet: the story does that, once. */
  run(loci: Loci, input: Readonly<Record<string, unknown>>, io: OperationIo): Promise<unknown>;
}

export interface CommandForm {
  /** Heading that it stands under in the help. */
  readonly group: 'Remember' | 'Find' | 'Connect' | 'Look after' | 'Move';
  /** One line for the list of commands; absent = the first sentence of the description. */
  readonly summary?: string;
  /** Fields that are given by position; a last one ending in … takes the rest. */
  readonly positionals: readonly string[];
  /** Options whose name is not the field's. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Flags that are on by default: their option is `--no-…`. */
  readonly negated?: readonly string[];
  /** Lists whose words may also be given one after the other. */
  readonly variadic?: readonly string[];
  /** Fields that a command line does not offer. */
  readonly omitted?: readonly string[];
  /** Shared options that are fields of this verb too. */
  readonly shared?: readonly ('project' | 'agent')[];
  /** It names every store that it uses: the usual one is not opened, and may be broken. */
  readonly storeless?: boolean;
  readonly alias?: string;
  readonly examples: readonly { readonly command: string; readonly what: string }[];
}

/** What a surface lends a running verb. */
export interface OperationIo {
  progress?(done: number, total?: number): void;
  /** Writes a file that the caller named. @returns its absolute path */
  writeFile?(name: string, bytes: Uint8Array): Promise<string>;
  /** Takes an answer that is too large to be one document, text by text. */
  write?(text: string): Promise<void>;
}
