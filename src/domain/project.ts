import type { Change } from './change.ts';
import type { ProjectName } from './event.ts';
import { GLOBAL_PROJECT } from './lifecycle.ts';

/** A project that is recognised by its repository and may not have a name in this store yet. */
export interface RepositoryProject {
  /** Absent = nothing was written from it yet, so no store can know it. */
  readonly key?: string;
  /** The key it had before it was given an origin. */
  readonly formerKey?: string;
  /** The name it would like. */
  readonly name: string;
}

/** The name that a repository has in this store, or would get: two of one name stay apart. */
export function nameOfRepository(
  { key, formerKey, name }: RepositoryProject,
  known: readonly ProjectName[],
): string {
  const named =
    known.find((project) => project.key === key) ??
    known.find((project) => project.key === formerKey);
  if (named) return named.name;
  // What is in the global project is seen from everywhere.
  const taken = new Set([GLOBAL_PROJECT, ...known.map((project) => project.name)]);
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name}-${n}`;
  return free;
}

/** The change that gives a repository its name, unless it has one. */
export function namingOf(
  repository: RepositoryProject & { readonly key: string },
  known: readonly ProjectName[],
): (Change & { data: ProjectName }) | undefined {
  const { key } = repository;
  if (known.some((project) => project.key === key)) return undefined;
  const data = { key, name: nameOfRepository(repository, known) };
  return { kind: 'project.named', subject: `project:${key}`, data };
}
