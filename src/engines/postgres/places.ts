import { list } from './parameters.ts';

/** Where a memory is found by the number that its space knows it by. */
export interface DocPlace {
  readonly project: string;
  readonly space: number;
  readonly doc: number;
}

/**
 * Memories `m` by place, for FROM; `q` has the places, `placesOf` the parameters. OFFSET 0 keeps it one
 * look into the index for each, whatever the database knows of its tables yet.
 * @param first number of the first of three parameters
 */
export function memoriesAt(first: number): string {
  return `unnest($${first}::text[], $${first + 1}::integer[], $${first + 2}::integer[])
      AS q (project, space, doc)
    CROSS JOIN LATERAL (
      SELECT * FROM memories
      WHERE project = q.project AND space = q.space AND doc = q.doc OFFSET 0) AS m`;
}

export function placesOf(places: readonly DocPlace[]): string[] {
  return [
    list(places.map(({ project }) => project)),
    list(places.map(({ space }) => space)),
    list(places.map(({ doc }) => doc)),
  ];
}
