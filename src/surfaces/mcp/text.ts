import { escapeText } from '../../domain/block.ts';
import type { RecallDocsResult } from '../../domain/documents.ts';
import type {
  ChangeResult,
  ContextResult,
  GetResult,
  RecallResult,
  RelationsResult,
  RememberResult,
  SearchResult,
} from '../../domain/results.ts';
import { windowText } from '../../domain/window.ts';
import { edgeText, gotBlock, recalledBlock, sectionBlock, wrapped } from './blocks.ts';

/** A result as a reader sees it, with keys that a ceiling may have added. */
export type Result = Readonly<Record<string, unknown>>;

/** What a tool's result says, for a reader: the same as its JSON. */
export function textOf(operation: string, result: Result): string {
  const render = RENDERERS[operation] ?? json;
  const warnings = (result.warnings ?? []) as readonly string[];
  return [render(result), ...warnings.map((warning) => `Warning: ${line(warning)}`)]
    .filter((part) => part !== '')
    .join('\n');
}

/** Each takes the result of its verb. */
const RENDERERS = {
  recall: recallText,
  'recall-docs': recallDocsText,
  search: searchText,
  get: getText,
  remember: rememberText,
  relate: relationsText,
  relations: relationsText,
  forget: changeText,
  archive: changeText,
  restore: changeText,
  reject: changeText,
  update: changeText,
  context: contextText,
} as unknown as Readonly<Record<string, ((result: Result) => string) | undefined>>;

function recallText(result: RecallResult): string {
  const { results, coverage, entity_resolved, why_not, explain, window } = result;
  const { unmatched, respelled = [], newest, strength, stopped_at } = coverage;
  const readAs = respelled.map(({ from, to }) => `${line(from)} as ${line(to)}`);
  const leftOut = Object.entries(explain?.filtered ?? {}).map(([why, n]) => `${why} ${n}`);
  return [
    results.length === 0 ? 'No memory matches.' : wrapped(results.map(recalledBlock)),
    strength === 'weak' ? 'The best of these matches little of the question.' : '',
    readAs.length > 0 ? `Read ${readAs.join(', ')}.` : '',
    unmatched.length > 0 ? `In no memory here: ${unmatched.map(line).join(', ')}.` : '',
    newest === null ? '' : `The newest of these is of ${newest.slice(0, 10)}.`,
    stopped_at ? `Stopped at the tier ${stopped_at}, which answers.` : '',
    why_not ? `${line(why_not.id)}: ${line(why_not.message)}` : '',
    leftOut.length > 0 ? `Left out: ${leftOut.join(', ')}.` : '',
    entity_resolved === false ? 'No entity of that name is known.' : '',
    window ? `Times: ${windowText(window)}.` : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function recallDocsText({ results, coverage }: RecallDocsResult): string {
  const { unmatched } = coverage;
  return [
    results.length === 0
      ? 'No document matches.'
      : wrapped(results.map(sectionBlock), 'loci-documents'),
    unmatched.length > 0 ? `In no document here: ${unmatched.map(line).join(', ')}.` : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function searchText({ results, total, next_cursor, window }: SearchResult): string {
  const more = next_cursor ? ` Go on with cursor ${next_cursor}` : '';
  const times = window ? ` Times: ${windowText(window)}.` : '';
  const count = `${results.length} of ${total}.${times}${more}`;
  return results.length === 0 ? count : `${wrapped(results.map(recalledBlock))}\n${count}`;
}

function getText({ memories, missing, window }: GetResult): string {
  const unknown = missing.map(line).join(', ');
  const then = window ? ` (${windowText(window)})` : '';
  if (memories.length === 0) {
    return `not_found: no memory here has the id ${unknown || '(none)'}${then}`;
  }
  return [
    wrapped(memories.map(gotBlock)),
    missing.length > 0 ? `Not found: ${unknown}` : '',
    window ? `Times: ${windowText(window)}.` : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function rememberText({ results }: RememberResult): string {
  const receipts = results.map(({ id, outcome, reason, line: number }) => {
    const what = [outcome, id].filter((part) => part !== '').join(' ');
    const where = outcome === 'refused' && number ? ` (item ${number})` : '';
    return `${what}${where}${reason ? `: ${line(reason)}` : ''}`;
  });
  const stored = results.some(({ outcome }) => outcome !== 'refused');
  return [...(stored ? [] : ['invalid_input: nothing was stored']), ...receipts].join('\n');
}

function changeText({ id, version, outcome }: ChangeResult): string {
  return `${outcome} ${id} (version ${version})`;
}

function relationsText({ relations }: RelationsResult): string {
  return relations.length === 0 ? 'No relations.' : relations.map(edgeText).join('\n');
}

function contextText({ text }: ContextResult): string {
  return text === '' ? 'Nothing is remembered here yet.' : wrapped([text]);
}

function json(result: Result): string {
  return escapeText(JSON.stringify({ ...result, warnings: undefined }));
}

/** Text from a memory or a caller, on one line and unable to open or close an element of ours. */
function line(text: string): string {
  return escapeText(text).replace(/\s+/g, ' ');
}
