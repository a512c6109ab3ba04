import type { Diagnosis, Finding } from '../../domain/finding.ts';
import type { Examination } from '../../domain/results.ts';

/** What one look came to. */
export interface Examined {
  /** One line a subject: what it is, and how it stands. */
  readonly facts: readonly Examination[];
  readonly findings: readonly Diagnosis[];
}

export function examined(facts: readonly Examination[], findings: readonly Diagnosis[]): Examined {
  return { facts, findings };
}

/** A finding of an engine, as a diagnosis: it is certain, and its hint is what settles it. */
export function diagnosed({ check, severity, message, hint, ids = [] }: Finding): Diagnosis {
  const fix = hint?.replace(/^Run: /, '');
  return { check, severity, confidence: 1, ids, message, ...(fix === undefined ? {} : { fix }) };
}
