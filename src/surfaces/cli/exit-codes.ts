import type { ErrorCode } from '../../domain/errors.ts';

/** 0 is done; 1 a finding, or a part that was refused or is missing. */
const EXIT_DONE = 0;
export const EXIT_FINDING = 1;
const EXIT_NOT_FOUND = 3;
export const EXIT_INTERRUPTED = 130;

/** The one table from error codes to exit codes. */
export const EXIT_CODES: Readonly<Record<ErrorCode, number>> = {
  invalid_input: 2,
  not_found: EXIT_NOT_FOUND,
  conflict: 4,
  busy: 4,
  unavailable: 5,
  unsupported: 5,
  denied: 5,
  corrupt: 5,
  cancelled: EXIT_INTERRUPTED,
  internal: 70,
};

/** The exit code that a result asks for, whichever verb it comes from. */
export function exitCodeOf(result: unknown): number {
  const {
    results,
    missing,
    memories,
    problems,
    files,
    undoes,
    accepted,
    skipped,
    findings,
    fixed,
    errors,
  } = result as {
    results?: readonly { outcome?: string }[];
    missing?: readonly string[];
    memories?: unknown;
    problems?: readonly { severity: string }[];
    files?: { failed?: number };
    undoes?: string;
    accepted?: readonly string[];
    skipped?: readonly unknown[];
    findings?: readonly unknown[];
    fixed?: readonly unknown[];
    errors?: readonly unknown[];
  };
  if (missing && missing.length > 0) {
    return Array.isArray(memories) && memories.length > 0 ? EXIT_FINDING : EXIT_NOT_FOUND;
  }
  const isRefused = results?.some(({ outcome }) => outcome === 'refused') ?? false;
  const hasProblem = problems?.some(({ severity }) => severity !== 'info') ?? false;
  // Whoever looks for findings fails on them; others only show what is known.
  const hasFinding = fixed !== undefined && (findings?.length ?? 0) > 0;
  const hasFailed = (files?.failed ?? 0) > 0;
  const hasErrors = (errors?.length ?? 0) > 0;
  const isAsked = undoes !== undefined || accepted !== undefined;
  const isPartly = isAsked && (skipped?.length ?? 0) > 0;
  const isWrong = isRefused || hasProblem || hasFailed || hasFinding || hasErrors || isPartly;
  return isWrong ? EXIT_FINDING : EXIT_DONE;
}
