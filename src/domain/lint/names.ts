/** The checks of `lint`, in the order in which their findings are listed. */
export const LINT_CHECKS = [
  'contradictions',
  'superseded_unflagged',
  'stale',
  'orphans',
  'unclassified_pairs',
  'near_duplicates',
  'confidence_drift',
  'ttl_warnings',
  'outdated_anchors',
] as const;
export type LintCheck = (typeof LINT_CHECKS)[number];
