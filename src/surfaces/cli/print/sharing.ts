import type { ShareResult, UnshareResult } from '../../../domain/sharing.ts';
import type { Printer } from './page.ts';

export const printShare: Printer<ShareResult> = ({ id, of, outcome }, { style }) => [
  outcome === 'merged'
    ? `${of} is in the shared drawer already, as ${style.bold(id)}`
    : `${outcome} ${of} as ${style.bold(id)}`,
];

export const printUnshare: Printer<UnshareResult> = ({ id, outcome }, { style }) => [
  `${outcome} ${style.bold(id)}`,
];
