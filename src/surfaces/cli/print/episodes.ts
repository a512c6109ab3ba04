import type { EpisodeResult, EpisodeShown, EpisodesResult } from '../../../domain/episodes.ts';
import { age, moment } from '../terminal/times.ts';
import { wrap } from '../terminal/width.ts';
import { count, type Page, type Printer } from './page.ts';

export const printEpisode: Printer<EpisodeResult> = ({ id, session_id, outcome }, { style }) => [
  `${style.bold(outcome)}  ${id}  ${style.dim(`session ${session_id}`)}`,
];

export const printEpisodes: Printer<EpisodesResult> = ({ episodes, total }, page) => [
  ...episodes.flatMap((episode) => [...episodeLines(episode, page), '']),
  page.style.dim(`${episodes.length} of ${count(total, 'episode')}`),
];

const LINES = 8;

function episodeLines(episode: EpisodeShown, { style, width, nowMs }: Page): string[] {
  const { id, session_id, title, summary, started_at, ended_at, created_at } = episode;
  const span = [started_at, ended_at].flatMap((time) => (time === null ? [] : moment(time)));
  const about = [span.join(' to ') || age(created_at, nowMs), session_id, id];
  const lines = wrap(summary.trim(), width - 2);
  return [
    style.bold(title ?? session_id ?? id),
    `  ${style.dim(about.filter((part) => part !== null).join(' · '))}`,
    ...lines.slice(0, LINES).map((line) => `  ${line}`),
    ...(lines.length > LINES ? ['  …'] : []),
  ];
}
