import type { Weights } from '../domain/ranking/settings.ts';
import type { View } from '../domain/view.ts';
import type { Clock } from './clock.ts';
import type { Documents } from './documents.ts';
import type { Embedder, EmbeddingBacklog } from './embedder.ts';
import type { Engine } from './engine.ts';
import type { Ids } from './ids.ts';
import type { Stores } from './stores.ts';
import type { TokenBacklog, Tokens } from './tokens.ts';
import type { Repository } from './workspace.ts';

/** On whose behalf a verb runs. */
export interface Scope {
  /** The current project's readable name: reads see it and global, writes land in it. */
  readonly project: string;
  /** The repository that stands for the project: its name in this store takes the place of `project`. */
  readonly repository?: Repository;
  /** The current agent: its drawer when agents are isolated, otherwise provenance only. */
  readonly agent?: string;
  /** Who stands in the events: owner, or an agent's id. */
  readonly actor: string;
  /** Source of memories that do not name one. */
  readonly source: string;
  /** What may be seen, where project and agent do not say it: folders of documents. */
  readonly view?: View;
  /** IANA zone in which dates and words such as `yesterday` are read; default UTC. */
  readonly zone?: string;
}

/** What every story is given. */
export interface Deps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly tokens: Tokens;
  /**
   * The store as it was known at a time: the log up to then, folded into memory. Reads only, and
   * nothing of it is kept; the cost grows with the log.
   */
  past(recordedMs: number): Promise<Engine>;
  /** Absent: memories that are written alone are counted when they are recalled. */
  readonly backlog?: TokenBacklog;
  /** What reads the meaning of texts, in this order; none: words only. */
  readonly embedders?: readonly Embedder[];
  /** Numbers of ranking that the configuration sets; absent = the measured ones. */
  readonly weights?: Weights;
  readonly documents: Documents;
  /** Absent where nobody can open another one. */
  readonly stores?: Stores;
  /** Keeps their vectors complete. */
  readonly vectors?: EmbeddingBacklog;
  readonly scope: Scope;
  /** Notices of the opened store that every answer repeats in `warnings`. */
  readonly notices: readonly string[];
  /** Version of this program. */
  readonly version: string;
}
