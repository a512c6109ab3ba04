import type { RelinkResult, UnresolvedName } from '../../../domain/graph/results.ts';
import { edgeTable } from './memories.ts';
import { count, type Page, type Printer } from './page.ts';

/** Edges that were read from bodies, or would be, and the names that are none. */
export const printRelink: Printer<RelinkResult> = (result, page) => {
  const { run, dry_run, added, removed, ambiguous, dangling, skipped } = result;
  const { style } = page;
  const done = dry_run ? 'nothing was written; --apply does it' : `run ${run ?? 'none'}`;
  const sum = `${count(added.length, 'edge')} added, ${removed.length} removed`;
  return [
    ...section('Added', edgeTable(added, page), page),
    ...section('Removed', edgeTable(removed, page), page),
    ...section('Names that several memories bear', ambiguous.map(nameLine), page),
    ...section('Names that no memory bears', dangling.map(nameLine), page),
    ...skipped.map(({ id, reason }) => style.yellow(`left alone: ${id}: ${reason}`)),
    added.length + removed.length === 0 ? 'Nothing to link.' : style.bold(`${sum}; ${done}`),
  ];
};

function section(heading: string, lines: readonly string[], { style }: Page): string[] {
  return lines.length === 0 ? [] : [style.bold(heading), ...lines, ''];
}

function nameLine({ source, name, candidates }: UnresolvedName): string {
  const bearers = candidates.length === 0 ? '' : `: ${candidates.join(', ')}`;
  return `${source}  [[${name}]]${bearers}`;
}
