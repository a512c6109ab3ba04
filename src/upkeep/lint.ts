import type { Diagnosis } from '../domain/finding.ts';
import type { LintOptions } from '../domain/inputs.ts';
import { CHECKS } from '../domain/lint/checks.ts';
import { fixesOf, type FixPlan } from '../domain/lint/fixes.ts';
import { LINT_CHECKS, type LintCheck } from '../domain/lint/names.ts';
import type { Checked, LintSubjects } from '../domain/lint/subjects.ts';
import { lintOptions } from '../domain/options.ts';
import { parseInput } from '../domain/parse.ts';
import type { LintResult } from '../domain/results.ts';
import type { Deps } from '../ports/deps.ts';
import type { CarriedOut } from './carry-out.ts';
import { lintSubjects } from './lint-subjects.ts';
import { runPlan, runResult } from './run-plan.ts';

const STALE_DAYS = 90;
const EXPIRING_DAYS = 14;

/**
 * Looks through the memories of the current project for what somebody should look at. With `fix`, what
 * is sure is settled as one run; nothing outside of the project is changed.
 */
export async function lint(options: LintOptions, deps: Deps): Promise<LintResult> {
  const parsed = parseInput(lintOptions, options, 'lint');
  const { check, fix, dryRun } = parsed;
  const { subjects, findings, notes } = await lintChecked(parsed, deps);
  const plan = fix ? fixesOf(findings, subjects) : { steps: [], settled: [] };
  const done = await runPlan('lint', plan.steps, dryRun ?? false, deps, check ? { check } : {});
  const fixed = settledBy(done, plan);
  return {
    findings: findings.filter((finding) => !fixed.includes(finding)),
    fixed,
    ...runResult(done, dryRun ?? false),
    warnings: notes,
  };
}

/** What the checks say, and what they looked at. Changes nothing. */
export async function lintChecked(
  { check, staleDays = STALE_DAYS, expiringDays = EXPIRING_DAYS }: LintOptions,
  deps: Deps,
): Promise<Checked & { readonly subjects: LintSubjects }> {
  const subjects = await lintSubjects({ staleDays, expiringDays }, deps);
  return { subjects, ...checkAll(check ? [check] : LINT_CHECKS, subjects) };
}

function checkAll(checks: readonly LintCheck[], subjects: LintSubjects): Checked {
  const all = checks.map((check) => CHECKS[check](subjects));
  return {
    findings: all.flatMap(({ findings }) => findings),
    notes: all.flatMap(({ notes }) => notes),
  };
}

function settledBy({ applied }: CarriedOut, { settled }: FixPlan): readonly Diagnosis[] {
  const changed = new Set(applied.map(({ before }) => before.id));
  return settled
    .filter(({ ids }) => ids.every((id) => changed.has(id)))
    .map(({ finding }) => finding);
}
