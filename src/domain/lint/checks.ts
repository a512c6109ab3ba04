import { confidenceDrift } from './confidence-drift.ts';
import { contradictions, supersededUnflagged } from './contradictions.ts';
import { expiring } from './expiring.ts';
import type { LintCheck } from './names.ts';
import { nearDuplicates } from './near-duplicates.ts';
import { outdatedAnchors } from './outdated-anchors.ts';
import type { Checked, LintSubjects } from './subjects.ts';
import { unclassifiedPairs } from './unclassified-pairs.ts';
import { orphans, stale } from './unused.ts';

/** The checks that need nothing but the memories. */
export const CHECKS: Readonly<Record<LintCheck, (subjects: LintSubjects) => Checked>> = {
  contradictions: (subjects) => ({ findings: contradictions(subjects), notes: [] }),
  superseded_unflagged: (subjects) => ({ findings: supersededUnflagged(subjects), notes: [] }),
  stale: (subjects) => ({ findings: stale(subjects), notes: [] }),
  orphans: (subjects) => ({ findings: orphans(subjects), notes: [] }),
  unclassified_pairs: unclassifiedPairs,
  near_duplicates: nearDuplicates,
  confidence_drift: (subjects) => ({ findings: confidenceDrift(subjects), notes: [] }),
  ttl_warnings: (subjects) => ({ findings: expiring(subjects), notes: [] }),
  outdated_anchors: (subjects) => ({ findings: outdatedAnchors(subjects), notes: [] }),
};
