import { GLOBAL_PROJECT } from '../lifecycle.ts';
import type { Memory } from '../memory.ts';
import { changeLine, entryLines, oneLine } from './entry.ts';
import { fileOfPage, PAGES, pageText, type PageName, type PageSection } from './page.ts';

/** Memories for a list, as many as it shows at most, and whether there are more. */
export interface Listing {
  readonly memories: readonly Memory[];
  readonly more: boolean;
}

/** What the pages tell of a store. */
export interface PageSource {
  /** Newest first. */
  readonly decisions: Listing;
  readonly constraints: Listing;
  readonly questions: Listing;
  readonly episodes: Listing;
  readonly conflicts: Listing;
  /** Any type and status, what changed last first. */
  readonly changes: Listing;
  readonly counts: {
    readonly total: number;
    readonly by_status: Readonly<Record<string, number>>;
    readonly by_type: Readonly<Record<string, number>>;
    readonly by_project: Readonly<Record<string, number>>;
    readonly tags: Readonly<Record<string, number>>;
  };
}

/** How many of each a handoff shows of one project. */
const HANDOFF = { episodes: 3, decisions: 10, changes: 10, questions: 10, conflicts: 5 } as const;
const TAGS_SHOWN = 30;

const RENDERERS: Readonly<Record<PageName, (source: PageSource) => string>> = {
  index: renderIndex,
  handoff: renderHandoff,
  decisions: ({ decisions }) =>
    pageText('Decisions', 'What was decided and holds now, newest first.', [
      ...byProject(decisions),
      ...olderOnes(decisions, 'decision'),
    ]),
  constraints: ({ constraints }) =>
    pageText('Constraints', 'What has to be kept to, newest first.', [
      ...byProject(constraints),
      ...olderOnes(constraints, 'constraint'),
    ]),
  open_questions: ({ questions }) =>
    pageText('Open questions', 'What nobody has answered yet, newest first.', [
      ...byProject(questions),
      ...olderOnes(questions, 'open_question'),
    ]),
};

/** The text of a page: the same for equal contents, whenever and wherever it is made. */
export function renderPage(name: PageName, source: PageSource): string {
  return RENDERERS[name](source);
}

function byProject({ memories }: Listing): PageSection[] {
  return projectsOf(memories).map((project) => ({
    level: 2,
    title: oneLine(project),
    lines: memories.filter((memory) => memory.project === project).flatMap(entryLines),
  }));
}

function olderOnes({ more }: Listing, type: string): PageSection[] {
  if (!more) return [];
  return [{ level: 2, title: 'Older ones', lines: [`\`loci search --type ${type}\``] }];
}

function renderHandoff(source: PageSource): string {
  const { episodes, decisions, changes, questions, conflicts } = source;
  const all = [episodes, decisions, changes, questions, conflicts].flatMap((one) => one.memories);
  return pageText(
    'Handoff',
    'What the next session needs to know, project by project.',
    projectsOf(all).flatMap((project): PageSection[] => {
      const part = (
        title: string,
        { memories }: Listing,
        most: number,
        lines: (memory: Memory) => readonly string[],
      ): PageSection => {
        const own = memories.filter((memory) => memory.project === project);
        return { level: 3, title, lines: own.slice(0, most).flatMap(lines) };
      };
      return [
        { level: 2, title: oneLine(project) },
        part('Last sessions', episodes, HANDOFF.episodes, entryLines),
        part('Conflicts', conflicts, HANDOFF.conflicts, entryLines),
        part('Recent decisions', decisions, HANDOFF.decisions, entryLines),
        part('Open questions', questions, HANDOFF.questions, entryLines),
        part('Recent changes', changes, HANDOFF.changes, (memory) => [changeLine(memory)]),
      ];
    }),
  );
}

function renderIndex({ counts }: PageSource): string {
  const { total, by_status, by_type, by_project, tags } = counts;
  return pageText('Index', `What this store holds: ${total} memories.`, [
    {
      level: 2,
      title: 'Pages',
      lines: PAGES.filter((name) => name !== 'index').map((name) => {
        const file = fileOfPage(name);
        return `- [${file}](${file})`;
      }),
    },
    section('Projects', by_project),
    section('Types', by_type),
    section('Statuses', by_status),
    section('Tags', tags, TAGS_SHOWN),
  ]);
}

/** By number, ties by name. */
function section(
  title: string,
  numbers: Readonly<Record<string, number>>,
  most = Infinity,
): PageSection {
  const entries = Object.entries(numbers)
    .filter(([, number]) => number > 0)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, most);
  return { level: 2, title, lines: entries.map(([name, n]) => `- ${oneLine(name)}: ${n}`) };
}

/** What concerns everybody first, then by name. */
function projectsOf(memories: readonly Memory[]): readonly string[] {
  const projects = new Set(memories.map(({ project }) => project));
  const isGlobal = projects.delete(GLOBAL_PROJECT);
  return [...(isGlobal ? [GLOBAL_PROJECT] : []), ...[...projects].sort()];
}
