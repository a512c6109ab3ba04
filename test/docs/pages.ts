import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Fence {
  readonly language: string;
  readonly text: string;
  /** Line of its first line, from 1. */
  readonly line: number;
}

/** Every Markdown page of the project, below its folder. */
export function pages(): string[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name}`)
    .filter((path) => path.endsWith('.md'))
    .sort();
  return ['README.md', 'CONTRIBUTING.md', 'AGENTS.md', 'CHANGELOG.md', ...docs];
}

export function readPage(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

export function fencesOf(text: string): Fence[] {
  return [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(
    ([whole, language = '', body = '']) => ({
      language,
      text: body,
      line: text.slice(0, text.indexOf(whole)).split('\n').length + 1,
    }),
  );
}
