import type { Diagnosis } from '../../domain/finding.ts';
import { referencesOf, type Reference } from '../../domain/lint/references.ts';
import type { Memory } from '../../domain/memory.ts';
import { VIEW_ALL } from '../../domain/view.ts';
import { lookAtCode } from '../../ports/anchors.ts';
import type { Deps } from '../../ports/deps.ts';
import { currentView } from '../../ports/scope.ts';
import { selectAll } from '../select-all.ts';
import { examined, type Examined } from './examined.ts';

/** Findings of one kind that are listed. */
const LISTED = 100;
/** Ids looked up at a time. */
const PAGE = 2000;

const HOW: Readonly<Record<Reference['by'], string>> = {
  relation: 'is related to',
  supersedes: 'says that it replaces',
  superseded_by: 'says that it was replaced by',
  link: 'links to',
  text: 'names',
};

/** Memories that name one that is not there, and memories that were changed in two places at once. */
export async function examineLinks(deps: Deps): Promise<Examined> {
  const { engine } = deps;
  const references: (Reference & { readonly source: string })[] = [];
  const torn: Diagnosis[] = [];
  const citing: Memory[] = [];
  const live = { statuses: ['active', 'draft'] } as const;
  for await (const { memory, heads } of selectAll(await currentView(deps, true), live, deps)) {
    references.push(...referencesOf(memory).map((one) => ({ ...one, source: memory.id })));
    if (heads.length > 1) torn.push(conflict(memory.id));
    if (memory.cites) citing.push(memory);
  }
  const wanted = [...new Set(references.map(({ id }) => id))];
  const known = new Set<string>();
  for (let at = 0; at < wanted.length; at += PAGE) {
    const found = await engine.get(wanted.slice(at, at + PAGE), VIEW_ALL);
    for (const { memory } of found) {
      for (const id of [memory.id, ...memory.external_ids]) known.add(id);
    }
  }
  const dangling = references.filter(({ id }) => !known.has(id));
  const facts = [
    fact('links', dangling.length, `${references.length} looked up`),
    fact('conflicts', torn.length, 'none'),
  ];
  const places = await examinePlaces(citing, deps);
  return examined(
    [...facts, ...places.facts],
    [...listed(dangling.map(lost)), ...listed(torn), ...places.findings],
  );
}

/** The code that memories of the current project cite; which of it is outdated, lint lists. */
async function examinePlaces(citing: readonly Memory[], deps: Deps): Promise<Examined> {
  const anchors = await lookAtCode(citing, deps);
  const states = [...anchors.values()].flatMap((of) => [...of.values()]);
  const bad = states.filter(({ state }) => state === 'changed' || state === 'gone').length;
  const facts = [fact('anchors', bad, `${states.length} looked at`)];
  if (bad === 0) return examined(facts, []);
  const outdated: Diagnosis = {
    check: 'anchors',
    severity: 'info',
    confidence: 0.7,
    ids: [],
    message: `${bad} of ${states.length} places in the code that memories cite have changed or are gone`,
    fix: 'loci lint --check outdated_anchors',
  };
  return examined(facts, [outdated]);
}

function fact(check: string, bad: number, sound: string) {
  return { check, ok: bad === 0, message: bad === 0 ? sound : `${bad} to look at` };
}

function lost({ source, id, by }: Reference & { readonly source: string }): Diagnosis {
  return {
    check: 'links',
    severity: by === 'text' ? 'info' : 'warning',
    confidence: by === 'text' ? 0.8 : 1,
    ids: [source],
    message: `${source} ${HOW[by]} ${id}, which is not there`,
    fix:
      by === 'link' || by === 'text' ? `loci update ${source} -` : `loci get ${source} --relations`,
  };
}

function conflict(id: string): Diagnosis {
  return {
    check: 'conflicts',
    severity: 'warning',
    confidence: 1,
    ids: [id],
    message: `${id} was changed in two places at once`,
    fix: `loci update ${id} -`,
  };
}

/** The first of them, and how many more there are. */
function listed(findings: readonly Diagnosis[]): readonly Diagnosis[] {
  const rest = findings.length - LISTED;
  const last = findings[LISTED];
  if (rest <= 0 || !last) return findings;
  const message = `${rest} more like these are not listed`;
  return [...findings.slice(0, LISTED), { ...last, ids: [], message }];
}
