import * as z from 'zod';
import { LociError } from '../domain/errors.ts';
import type { MemoryInput } from '../domain/inputs.ts';
import { memoryInput } from '../domain/options.ts';
import { camelKeys } from '../domain/parse.ts';
import type { Operation } from './operation.ts';
import { textList } from './outputs.ts';

export const remember: Operation = {
  name: 'remember',
  title: 'Remember',
  description:
    'Stores what later sessions need: one memory, or several at once. To correct one, name it in supersedes.',
  audience: 'core',
  input: memoryInput.extend({
    memories: z
      .array(z.looseObject({}))
      .optional()
      .describe('Several at once, each with the fields of one'),
  }),
  published: ['body', 'type', 'title', 'tags', 'supersedes', 'memories'],
  get output() {
    return z.looseObject({
      results: z.array(z.looseObject({ id: z.string(), outcome: z.string() })),
      warnings: textList,
    });
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Remember',
    summary: 'Stores a memory, or a file of them',
    positionals: ['body'],
    renamed: { sessionId: 'session' },
    omitted: ['memories', 'relations', 'entities', 'details', 'expiredAt'],
    examples: [
      {
        command: 'loci remember "We deploy on Tuesdays" --type decision --tags release',
        what: 'One memory',
      },
      { command: 'git log -1 --format=%B | loci remember -', what: 'The body from stdin' },
      {
        command: 'loci remember --batch notes.jsonl',
        what: 'One memory a line, keys in snake_case',
      },
    ],
  },
  run(loci, { memories, ...single }, { progress }) {
    if (memories === undefined) return loci.remember(single as MemoryInput, progress);
    if (Object.keys(single).length > 0) {
      throw new LociError(
        'invalid_input',
        'remember has both memories and the fields of a single one',
        'Give either one memory, or a list of them in memories.',
      );
    }
    return loci.remember(memoryList(memories), progress);
  },
};

/** A batch as callers send it: a list, or one as JSON text; keys in either spelling. */
function memoryList(memories: unknown): readonly MemoryInput[] {
  const list = typeof memories === 'string' ? parseList(memories) : memories;
  if (!Array.isArray(list)) {
    throw new LociError(
      'invalid_input',
      'remember: memories is not a list',
      'Give a list of objects, each with a body.',
    );
  }
  // An item that is no object goes on as it is: the story refuses it and stores the others.
  return list.map((item) =>
    typeof item === 'object' && item !== null && !Array.isArray(item) ? camelKeys(item) : item,
  ) as MemoryInput[];
}

function parseList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
