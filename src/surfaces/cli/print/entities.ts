import type { EntitiesResult } from '../../../domain/results.ts';
import { table } from '../terminal/table.ts';
import type { Printer } from './page.ts';

export const printEntities: Printer<EntitiesResult> = ({ entities }, { style, width }) => {
  if (entities.length === 0)
    return ['No entity has several names yet: loci entity NAME --kind KIND'];
  const columns = [
    { heading: 'KIND' },
    { heading: 'NAME', paint: style.bold },
    { heading: 'ALSO', grows: true },
    { heading: 'PROJECT', paint: style.dim },
  ];
  const rows = entities.map(({ kind, name, aliases, project }) => {
    return [kind, name, aliases.join(', '), project];
  });
  return table(columns, rows, width, style.dim);
};
