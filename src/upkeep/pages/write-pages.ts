import { sha256 } from '../../domain/hash.ts';
import { fileOfPage, PAGES } from '../../domain/pages/page.ts';
import { renderPage } from '../../domain/pages/render.ts';
import type { PageWritten } from '../../domain/upkeep-results.ts';
import type { View } from '../../domain/view.ts';
import type { Deps } from '../../ports/deps.ts';
import { pageSource } from './page-source.ts';

const NOTE = 'pages';

/**
 * Renders the pages of the whole store and puts those in their place that are not there as they
 * should be. Where there is no folder to put them into, only whether they changed is told.
 */
export async function writePages(
  deps: Pick<Deps, 'engine' | 'clock'>,
  dryRun: boolean,
): Promise<readonly PageWritten[]> {
  const { engine } = deps;
  const source = await pageSource(pageView(engine.isolated), deps);
  const known = JSON.parse((await engine.note(NOTE)) ?? '{}') as Record<string, string>;
  const hashes: Record<string, string> = {};
  const pages: PageWritten[] = [];
  for (const page of PAGES) {
    const name = fileOfPage(page);
    const text = renderPage(page, source);
    hashes[name] = sha256(text);
    const isOther = known[name] !== hashes[name];
    if (dryRun) {
      pages.push({ name, changed: isOther });
      continue;
    }
    const outcome = await engine.putPage(name, text);
    if (outcome === 'foreign') pages.push({ name, changed: false, left_alone: true });
    else pages.push({ name, changed: outcome === 'nowhere' ? isOther : outcome === 'written' });
  }
  const isNews = !dryRun && pages.some(({ name }) => known[name] !== hashes[name]);
  if (isNews) await engine.putNote(NOTE, JSON.stringify(hashes));
  return pages;
}

/** Everybody who opens the folder reads them: drawers of agents are not told there. */
function pageView(isolated: boolean): View {
  return { projects: 'all', agents: isolated ? [''] : 'all' };
}
