import * as z from 'zod';
import { entityKey } from '../entity.ts';
import { LociError } from '../errors.ts';
import { digestOf, EVENT_VERSION, type LogEvent } from '../event.ts';
import { isNativeId } from '../identity.ts';
import { CLASSIFICATIONS, STATUSES, TIERS } from '../lifecycle.ts';
import { isScrubbedBare } from '../purge.ts';
import { recordKindOf, recordSubject } from '../record.ts';
import { parseInstant } from '../time.ts';

/**
 * What comes from another store goes into the log word for word, so it is checked as what a caller
 * gives would be: an id becomes the name of a file.
 */

const text = z.string();
const name = z.string().min(1).max(1000);
const time = z.string().refine((value) => parseInstant(value) !== undefined, 'is no time');
const id = z.string().refine(isNativeId, 'is no id of a memory');
const share = z.number().min(0).max(1);

const memorySchema = z.looseObject({
  id,
  type: name,
  tier: z.enum(TIERS),
  status: z.enum(STATUSES),
  status_reason: text.optional(),
  title: text.optional(),
  body: text,
  tags: z.array(text),
  paths: z.array(text),
  project: name,
  agent: name.optional(),
  confidence: share,
  classification: z.enum(CLASSIFICATIONS),
  source: name,
  observed: name,
  session_id: text.optional(),
  speaker: text.optional(),
  turn: z.number().optional(),
  ttl_days: z.number().optional(),
  valid_from: time.optional(),
  valid_to: time.optional(),
  supersedes: text.optional(),
  superseded_by: text.optional(),
  superseded_at: time.optional(),
  external_ids: z.array(text),
  evidence: z.array(text),
  entities: z.array(z.looseObject({ kind: text, name: text })),
  relations: z.array(z.looseObject({ type: name, target: name, confidence: share, origin: text })),
  details: z.looseObject({}).optional(),
  created_at: time,
  updated_at: time,
});

const recordSchema = z.looseObject({ id: name, project: name, agent: name.optional() });
const projectSchema = z.looseObject({ key: name, name });

const compactionSchema = z.looseObject({
  covers: z.record(text, z.looseObject({ rseq: z.int().min(1), prev: text })),
  horizon: time,
});

const eventSchema = z.looseObject({
  v: z.int().min(1),
  id: name,
  tx: name,
  i: z.int().min(0),
  n: z.int().min(1),
  replica: name,
  rseq: z.int().min(1),
  hlc: z.number().min(0),
  prev: text,
  at: time,
  kind: name,
  subject: name,
  base: z.array(text),
  actor: text,
  run: text.optional(),
  undoes: text.optional(),
  reason: text.optional(),
  digest: text,
  salt: text,
  data: z.unknown(),
  front: text.optional(),
  folds: z.array(text).optional(),
  scrubbed: text.optional(),
  tokens: z.number().optional(),
});

/** @throws LociError invalid_input that names the field; unsupported for an event of a newer program */
export function checkedEvent(value: unknown): LogEvent {
  const event = parsed(eventSchema, value, 'event') as LogEvent;
  if (event.v > EVENT_VERSION) {
    throw new LociError(
      'unsupported',
      `event ${event.id} has version ${event.v}; this program knows version ${EVENT_VERSION}`,
      'Nothing was changed. Update Loci on this machine.',
    );
  }
  // What was purged keeps its envelope and nothing else.
  if (isScrubbedBare(event)) return event;
  if (event.data !== null) checkData(event);
  if (digestOf(event.salt, event.data) !== event.digest) {
    throw bad(`event ${event.id}: its content does not match its digest`);
  }
  return event;
}

function checkData({ kind, subject, data }: LogEvent): void {
  if (kind === 'log.compacted') parsed(compactionSchema, data, subject);
  const expected = subjectsOf(kind, subject, data);
  if (expected.length > 0 && !expected.includes(subject)) {
    throw bad(`an event of ${subject} holds ${expected[0]}`);
  }
}

/** The subjects that an event of this content may have; none where any will do. */
function subjectsOf(kind: string, subject: string, data: unknown): readonly string[] {
  if (kind.startsWith('memory.')) return [parsed(memorySchema, data, subject).id];
  if (kind === 'project.named') return [`project:${parsed(projectSchema, data, subject).key}`];
  const record = recordKindOf({ kind });
  if (!record) return [];
  const fields = parsed(recordSchema, data, subject);
  // An entity is one of its project and drawer; other records have ids of their own.
  const ids = record === 'entity' ? [entityKey(fields), fields.id] : [fields.id];
  return ids.map((known) => recordSubject(record, known));
}

function parsed<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw bad(`${what}: ${issue?.path.join('.')} ${issue?.message}`);
}

function bad(message: string): LociError {
  return new LociError('invalid_input', message);
}
