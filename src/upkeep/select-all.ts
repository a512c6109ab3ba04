export { selectAll } from '../ports/select-all.ts';
