import type { Draft, Fields, RelationDraft } from '../domain/decide/draft.ts';
import { LociError } from '../domain/errors.ts';
import { requireBody } from '../domain/hygiene/require-body.ts';
import { isNativeId, memoryId } from '../domain/identity.ts';
import {
  DEFAULT_CLASSIFICATION,
  DEFAULT_CONFIDENCE,
  isTrusted,
  typeRow,
} from '../domain/lifecycle.ts';
import { headline } from '../domain/memory.ts';
import type { MemoryFields, MemoryInput, RelationInput } from '../domain/inputs.ts';
import { memoryInput } from '../domain/options.ts';
import { toIso } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import { definite } from './definite.ts';
import { parseClean, type Clean, type SecretsPolicy } from '../domain/parse-clean.ts';

export interface GateContext {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly project: string;
  readonly agent?: string;
  readonly source: string;
  /** IANA zone of dates and words. */
  readonly zone: string;
  readonly secrets: SecretsPolicy;
}

const SUFFIX_LENGTH = 4;

interface Admission {
  readonly draft: Draft;
  readonly notes: readonly string[];
  /** The code that it cites, as it was named: it is yet to be looked up. */
  readonly cites?: readonly string[] | undefined;
}

/**
 * Checks one memory that somebody wants stored and brings it into its normal form.
 * @throws LociError invalid_input that names field and value
 */
export function admit(input: MemoryInput, line: number, context: GateContext): Admission {
  const clean = parseClean(memoryInput, input, 'memory', context.secrets);
  const { notes, redacted } = clean;
  const fields = withoutSecretIds(clean);
  const parsed = definite(fields, { nowMs: context.clock.nowMs(), zone: context.zone });
  const given = fieldsOf({ ...parsed, validTo: parsed.validTo ?? parsed.expiredAt });
  const now = toIso(context.clock.nowMs());
  const source = given.source ?? context.source;
  const type = given.type ?? (given.observed === 'inferred' ? 'belief' : 'fact');
  const row = typeRow(type);
  const createdAt = given.created_at ?? now;
  const heading = parsed.slug ?? headline({ title: given.title, body: given.body ?? '' });
  const suffix = context.ids.suffix(SUFFIX_LENGTH);
  const agent = parsed.agent ?? context.agent;
  const ref = parsed.id;
  const foreign = ref !== undefined && !isNativeId(ref) ? ref : undefined;
  const externalId = parsed.externalId ?? foreign;
  const fresh = memoryId({ type, createdAt, heading, suffix });
  return {
    draft: {
      line,
      project: parsed.project ?? context.project,
      ...(agent === undefined ? {} : { agent: agentId(agent) }),
      ...(ref === undefined ? {} : { ref }),
      ...(externalId === undefined ? {} : { externalId }),
      newId: ref !== undefined && foreign === undefined ? ref : fresh,
      given,
      defaults: {
        type,
        tier: row.tier,
        status: isTrusted(source) ? 'active' : 'draft',
        confidence: DEFAULT_CONFIDENCE,
        classification: DEFAULT_CLASSIFICATION,
        source,
        observed: 'stated',
        created_at: now,
        ...(row.ttlDays === null || given.valid_to !== undefined ? {} : { ttl_days: row.ttlDays }),
      },
      ...(parsed.supersedes === undefined ? {} : { supersedes: parsed.supersedes }),
      relations: relationsOf(parsed.relations),
      redacted,
    },
    notes,
    cites: parsed.cites,
  };
}

/**
 * Two ids that were secrets would become one placeholder, and two memories one: such an id is left
 * out. A project or drawer cannot be.
 * @throws LociError invalid_input
 */
function withoutSecretIds<T extends object>({ fields, held }: Clean<T>): T {
  const place = (['project', 'agent'] as const).find((name) => held.has(name));
  if (place !== undefined) {
    throw new LociError(
      'invalid_input',
      `${place} looks like a secret`,
      'Its name stands in files and in the log: choose another one.',
    );
  }
  if (!held.has('id') && !held.has('externalId')) return fields;
  const kept = Object.entries(fields).filter(
    ([name]) => !held.has(name) || (name !== 'id' && name !== 'externalId'),
  );
  return Object.fromEntries(kept) as T;
}

/** The fields of a change, in the spelling of a memory; only what was given. */
export function fieldsOf(parsed: MemoryFields): Fields {
  if (parsed.classification === 'SECRET') {
    throw new LociError(
      'unsupported',
      'classification is "SECRET", and this version cannot seal memories yet',
      'Leave the secret out, or use PRIVATE for text that may lie in a readable file.',
    );
  }
  requireBody(parsed);
  const { validFrom, validTo } = parsed;
  if (validFrom !== undefined && validTo !== undefined && validTo <= validFrom) {
    throw new LociError(
      'invalid_input',
      `valid_to is "${validTo}", not after valid_from "${validFrom}"`,
      'An interval is half-open: from valid_from until just before valid_to.',
    );
  }
  const candidates = {
    body: parsed.body,
    title: parsed.title?.replace(/\s+/g, ' ').trim() || undefined,
    type: parsed.type,
    tier: parsed.tier,
    status: parsed.status,
    tags: parsed.tags && [...new Set(parsed.tags)],
    paths: parsed.paths && [...new Set(parsed.paths)],
    confidence: parsed.confidence,
    classification: parsed.classification,
    source: parsed.source,
    observed: parsed.observed,
    session_id: parsed.sessionId,
    speaker: parsed.speaker,
    turn: parsed.turn,
    ttl_days: parsed.ttlDays,
    valid_from: validFrom,
    valid_to: validTo,
    created_at: parsed.createdAt,
    entities: parsed.entities,
    evidence: parsed.evidence && [...new Set(parsed.evidence)],
    details: parsed.details && asJson(parsed.details),
  };
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(candidates)) {
    if (value !== undefined) given[name] = value;
  }
  return given as Fields;
}

export function relationsOf(relations: readonly RelationInput[] = []): readonly RelationDraft[] {
  return relations.map((relation) => ({ ...relation, confidence: relation.confidence ?? 1 }));
}

/** Details as JSON keeps them: what is no JSON is left out or written as text. */
function asJson(details: object): Fields['details'] {
  return JSON.parse(JSON.stringify(details)) as NonNullable<Fields['details']>;
}

const AGENT_ID = /^[A-Za-z0-9_-]{1,64}$/;

function agentId(agent: string): string {
  if (AGENT_ID.test(agent)) return agent;
  throw new LociError(
    'invalid_input',
    `agent is ${JSON.stringify(agent)}`,
    'Agent ids are letters, digits, dashes and underscores, at most 64.',
  );
}
