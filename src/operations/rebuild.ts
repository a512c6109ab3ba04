import * as z from 'zod';
import { flag } from '../domain/fields.ts';
import { replayOptions } from '../domain/log-options.ts';
import type { ReplayLogOptions } from '../domain/log-verbs.ts';
import { parseInput } from '../domain/parse.ts';
import type { Operation } from './operation.ts';
import { finding, rebuilt, setAside, textList } from './outputs.ts';

const nothing = z.strictObject({});

export const verify: Operation = {
  name: 'verify',
  title: 'Verify',
  description:
    'Checks log, files and index against each other. The hash is the same for equal contents on every engine.',
  audience: 'cli',
  input: nothing,
  get output() {
    return z.looseObject({
      state_hash: z.string(),
      log_ok: z.boolean(),
      files_ok: z.boolean(),
      index_ok: z.boolean(),
      problems: z.array(finding),
    });
  },
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Look after',
    positionals: [],
    examples: [{ command: 'loci verify', what: 'Exit code 1 when something is wrong' }],
  },
  run(loci, input) {
    parseInput(nothing, input, 'verify');
    return loci.verify();
  },
};

const embeddedModels = z.array(z.looseObject({ model: z.string(), embedded: z.number() }));

const reindexOptions = z.strictObject({
  acceptDeletions: flag()
    .optional()
    .describe('Archive memories whose files are missing, however many they are'),
  embed: flag().optional().describe('Then embed what has no vectors, and wait for it'),
});

export const reindex: Operation = {
  name: 'reindex',
  title: 'Reindex',
  description: 'Takes up edits made by hand, then rebuilds everything that is derived.',
  audience: 'cli',
  input: reindexOptions,
  get output() {
    return rebuilt.extend({ embedded: embeddedModels.optional() });
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Look after',
    positionals: [],
    examples: [
      { command: 'loci reindex', what: 'After a git pull or a damaged index' },
      {
        command: 'loci reindex --accept-deletions',
        what: 'After many files were deleted on purpose',
      },
      { command: 'loci reindex --embed', what: 'Also embed, before it returns' },
    ],
  },
  run(loci, input, { progress }) {
    const options = parseInput(reindexOptions, input, 'reindex');
    return loci.reindex({ ...options, progress });
  },
};

const reEmbedOptions = z.strictObject({
  dropOthers: flag().optional().describe('Forget the vectors of models not configured any more'),
});

export const reEmbed: Operation = {
  name: 're-embed',
  title: 'Re-embed',
  description:
    'Embeds every memory that has no vectors of the configured models; stopped, it goes on next time.',
  audience: 'cli',
  input: reEmbedOptions,
  get output() {
    return z.looseObject({
      models: embeddedModels,
      dropped: textList,
      kept: textList,
    });
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Look after',
    positionals: [],
    examples: [
      { command: 'loci re-embed', what: 'After another embedder was configured' },
      { command: 'loci re-embed --drop-others', what: 'Also forget the vectors of the old one' },
    ],
  },
  run(loci, input, { progress }) {
    const options = parseInput(reEmbedOptions, input, 're-embed');
    return loci.reEmbed({ ...options, progress });
  },
};

export const replay: Operation = {
  name: 'replay',
  title: 'Replay',
  description:
    'Rebuilds state and files from the log alone. With to, builds a new store and leaves this one alone; with from, out of another log.',
  audience: 'cli',
  input: replayOptions,
  get output() {
    return rebuilt.extend({ store: z.string(), skipped: z.array(setAside) });
  },
  annotations: { readOnly: false, destructive: true, idempotent: true },
  cli: {
    group: 'Look after',
    positionals: [],
    examples: [
      { command: 'loci replay', what: 'Brings deleted memory files back' },
      {
        command: 'loci replay --from backup.ndjson --to ./restored',
        what: 'A store out of a log, somewhere else',
      },
    ],
  },
  run(loci, input, { progress }) {
    return loci.replay(input as ReplayLogOptions, progress);
  },
};
