import { fileOfPage } from '../../domain/pages/page.ts';
import { renderPage } from '../../domain/pages/render.ts';
import { parseInput } from '../../domain/parse.ts';
import type { ViewOptions } from '../../domain/upkeep-inputs.ts';
import { viewOptions } from '../../domain/upkeep-options.ts';
import type { ViewResult } from '../../domain/upkeep-results.ts';
import type { Deps } from '../../ports/deps.ts';
import { currentView } from '../../ports/scope.ts';
import { pageSource } from './page-source.ts';

/** A page as it is at this moment, of what the caller sees; nothing is written. */
export async function view(options: ViewOptions, deps: Deps): Promise<ViewResult> {
  const { name, allProjects = false } = parseInput(viewOptions, options, 'view');
  const source = await pageSource(await currentView(deps, allProjects), deps);
  return { name: fileOfPage(name), text: renderPage(name, source) };
}
