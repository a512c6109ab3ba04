/** Stands in every generated page; a file without it is somebody's own. */
export const PAGE_MARK = '<!-- loci:page -->';

/** The view pages, by the name that commands use. */
export const PAGES = ['index', 'handoff', 'decisions', 'constraints', 'open_questions'] as const;
export type PageName = (typeof PAGES)[number];

export function fileOfPage(name: PageName): string {
  return `${name.toUpperCase()}.md`;
}

/** A page with its mark and heading. Sections without lines are left out. */
export function pageText(
  heading: string,
  introduction: string,
  sections: readonly PageSection[],
): string {
  const body = sections
    .filter(({ lines }) => lines?.length !== 0)
    .map(({ level, title, lines }) => [`${'#'.repeat(level)} ${title}`, lines?.join('\n')])
    .flatMap((block) => block.filter((text) => text !== undefined));
  const head = `${PAGE_MARK}\n\n# ${heading}\n\n${introduction}\nThis page is generated: change the memories, not the page.`;
  return `${[head, ...body].join('\n\n')}\n`;
}

export interface PageSection {
  readonly level: 2 | 3;
  readonly title: string;
  /** Absent: a heading over what follows. */
  readonly lines?: readonly string[];
}
