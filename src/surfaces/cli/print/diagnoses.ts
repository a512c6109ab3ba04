import type { Diagnosis } from '../../../domain/finding.ts';
import type { DoctorResult, LintResult } from '../../../domain/results.ts';
import { count, type Page, type Printer } from './page.ts';
import { runLines } from './runs.ts';

export const printLint: Printer<LintResult> = (result, page) => {
  const { findings, changes, skipped, run } = result;
  const hasRun = run !== null || changes.length > 0 || skipped.length > 0;
  return [
    ...diagnosisLines(findings, page),
    ...(findings.length === 0 ? ['Nothing to look at.'] : ['', page.style.bold(summary(findings))]),
    ...(hasRun ? ['', ...runLines(result, page)] : []),
  ];
};

export const printDoctor: Printer<DoctorResult> = ({ findings, fixed, examined }, page) => {
  const { style } = page;
  const width = Math.max(0, ...examined.map(({ check }) => check.length));
  return [
    ...examined.map(({ check, ok, message }) => {
      const mark = ok ? style.green('ok    ') : style.red('not ok');
      return `${mark}  ${check.padEnd(width)}  ${message}`;
    }),
    ...fixed.map(({ check, message }) => style.green(`mended  ${check}: ${message}`)),
    ...(findings.length === 0 ? [] : ['', ...diagnosisLines(findings, page)]),
  ];
};

/** What was found, check by check. */
export function diagnosisLines(findings: readonly Diagnosis[], { style }: Page): string[] {
  const paint = { info: style.blue, warning: style.yellow, error: style.red };
  return findings.flatMap(({ check, severity, confidence, message, fix }, i) => [
    ...(findings[i - 1]?.check === check ? [] : [...(i > 0 ? [''] : []), style.bold(check)]),
    `  ${paint[severity](severity)} ${message} ${style.dim(`(${confidence.toFixed(2)})`)}`,
    ...(fix === undefined ? [] : [style.dim(`    ${fix}`)]),
  ]);
}

function summary(findings: readonly Diagnosis[]): string {
  const checks = new Set(findings.map(({ check }) => check)).size;
  return `${count(findings.length, 'finding')} of ${count(checks, 'check')}`;
}
