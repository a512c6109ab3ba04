/** The tables of types, tiers, statuses, classifications and sources, with their defaults. */

export const TYPES = [
  'fact',
  'decision',
  'constraint',
  'belief',
  'preference',
  'open_question',
  'procedure',
  'entity_summary',
  'conflict',
  'episode',
] as const;
export type KnownType = (typeof TYPES)[number];

export const TIERS = ['preferences', 'project-context', 'conversations'] as const;
export type Tier = (typeof TIERS)[number];

export const STATUSES = ['draft', 'active', 'superseded', 'rejected', 'archived'] as const;
export type Status = (typeof STATUSES)[number];

export const CLASSIFICATIONS = ['PUBLIC', 'TEAM', 'PRIVATE', 'SECRET'] as const;
export type Classification = (typeof CLASSIFICATIONS)[number];

export const DEFAULT_CONFIDENCE = 0.8;
export const DEFAULT_CLASSIFICATION: Classification = 'TEAM';
export const GLOBAL_PROJECT = 'global';

interface TypeRow {
  readonly prefix: string;
  readonly tier: Tier;
  /** Days until a memory of this type expires; null = never. */
  readonly ttlDays: number | null;
}

/** One row a type: prefix of its ids, default tier, default time to live. */
const TYPE_TABLE: Readonly<Record<KnownType, TypeRow>> = {
  fact: { prefix: 'FACT', tier: 'project-context', ttlDays: null },
  decision: { prefix: 'DECI', tier: 'preferences', ttlDays: null },
  constraint: { prefix: 'CONS', tier: 'preferences', ttlDays: null },
  belief: { prefix: 'BELI', tier: 'project-context', ttlDays: null },
  preference: { prefix: 'PREF', tier: 'preferences', ttlDays: null },
  open_question: { prefix: 'OPEN', tier: 'project-context', ttlDays: 90 },
  procedure: { prefix: 'PROC', tier: 'project-context', ttlDays: null },
  entity_summary: { prefix: 'ENTI', tier: 'project-context', ttlDays: 180 },
  conflict: { prefix: 'CONF', tier: 'project-context', ttlDays: 30 },
  episode: { prefix: 'EPIS', tier: 'conversations', ttlDays: null },
};

function isKnownType(type: string): type is KnownType {
  return Object.hasOwn(TYPE_TABLE, type);
}

/** The row of a type; one that this version does not know is treated as a fact under its own prefix. */
export function typeRow(type: string): TypeRow {
  if (isKnownType(type)) return TYPE_TABLE[type];
  const letters = type.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return { prefix: letters.slice(0, 4).padEnd(4, 'X'), tier: 'project-context', ttlDays: null };
}

/** The sources that are trusted, the least first. One that is not listed counts as untrusted. */
const TRUSTED_SOURCES = ['import', 'agent', 'owner'];

export function isTrusted(source: string): boolean {
  return TRUSTED_SOURCES.includes(source);
}

/** Of two sources the one that is trusted less; what is made from both carries it. */
export function lowerSource(a: string, b: string): string {
  return TRUSTED_SOURCES.indexOf(b) < TRUSTED_SOURCES.indexOf(a) ? b : a;
}

/** Statuses whose text is current: it occupies the place of its content, so it may not be stored twice. */
export function isLive(status: Status): boolean {
  return status === 'active' || status === 'draft';
}
