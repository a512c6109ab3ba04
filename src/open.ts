import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { resolveConfig, version, type Environment, type ResolvedConfig } from './config.ts';
import { LociError } from './domain/errors.ts';
import { redact } from './domain/hygiene/redact.ts';
import { Loci } from './loci.ts';
import { tokenBacklog } from './remember/token-backlog.ts';
import { embeddingBacklog, embedRest } from './upkeep/embed-pending.ts';
import type { PostgresEngine } from './engines/postgres/engine.ts';
import type { Clock } from './ports/clock.ts';
import type { Documents, DocumentStore } from './ports/documents.ts';
import type { Embedder, EmbeddingBacklog } from './ports/embedder.ts';
import type { Engine } from './ports/engine.ts';
import type { Ids } from './ports/ids.ts';
import type { OtherStores } from './ports/logs.ts';

export interface OpenOptions {
  /** Project to write to and, with global, to read from. Default: LOCI_PROJECT, config, git. */
  readonly project?: string;
  /** Agent on whose behalf it happens. */
  readonly agent?: string;
  /** Agent that it works for where agents are kept apart and nobody names one. */
  readonly agentIfIsolated?: string;
  /** `per-agent` gives each agent a drawer of its own. Default shared. */
  readonly isolation?: string;
  /** What reads the meaning of texts: builtin (default) or none. */
  readonly embedder?: string;
  /** IANA zone in which dates and words such as `yesterday` are read. Default LOCI_ZONE, config, UTC. */
  readonly zone?: string;
  /** Numbers of ranking: `recency.weight=0.2, choice.min_score=0.3`. Default LOCI_WEIGHTS, config, measured. */
  readonly weights?: string;
  /** Who stands in the events. Default: the agent, or owner. */
  readonly actor?: string;
  /** Source of memories that name none. Default owner. */
  readonly source?: string;
  /** Environment to read settings from. Default: the process's. */
  readonly env?: Environment;
  /** Folder that relative paths and the repository count from. Default: the process's. */
  readonly cwd?: string;
  /** How long a write waits for other processes, milliseconds. Default 10,000. */
  readonly lockDeadlineMs?: number;
  /** Make the store now if it is not there. Default: the first write makes it. */
  readonly create?: boolean;
  /** `warn`: an embedder that cannot be is a notice instead of an error. Default fail. */
  readonly impossibleEmbedder?: 'fail' | 'warn';
  /** Notice hand edits while it is open: for long-running processes. Default false. */
  readonly watch?: boolean;
}

export interface SetUpResult {
  /** Version of the tables before and after; 0 = there were none. */
  readonly from: number;
  readonly to: number;
  readonly applied: readonly number[];
}

/**
 * Brings a PostgreSQL database to the tables of this program. Other stores need no set-up.
 * @throws LociError invalid_input, unsupported, denied, unavailable, busy
 */
export async function setUp(
  store: string | undefined,
  { env, cwd }: Pick<OpenOptions, 'env' | 'cwd'> = {},
): Promise<SetUpResult> {
  const config = await resolveConfig({
    flags: store === undefined ? {} : { store },
    ...(env ? { env } : {}),
    ...(cwd ? { cwd } : {}),
  });
  const { connect, url } = config.store;
  if (connect === undefined) {
    throw new LociError(
      'invalid_input',
      `${url} needs no setup`,
      'setup is for a PostgreSQL database: loci setup --store postgres://USER:PASSWORD@HOST:PORT/DATABASE',
    );
  }
  const [{ systemClock }, { randomIds }, { setUpPostgres }] = await Promise.all([
    import('./models/system/clock.ts'),
    import('./models/system/ids.ts'),
    import('./engines/postgres/open.ts'),
  ]);
  return setUpPostgres({ url: connect, clock: systemClock, ids: randomIds() });
}

/**
 * Opens a store: a folder (`./memory`, `file:…`: a vault), `sqlite:./memory.db`, `postgres://…` (which
 * `setUp` has prepared), `pglite:./dir`, or `memory:`. One that is not there yet is made by the first
 * write. Without a name: LOCI_STORE, else the nearest `.loci` folder
 * upwards, else a vault in the user's data folder.
 * @throws LociError invalid_input, unsupported, unavailable, corrupt, busy
 */
export async function open(store?: string, options: OpenOptions = {}): Promise<Loci> {
  const { project, agent, isolation, embedder, zone, weights, env, cwd } = options;
  const flags = {
    ...(store === undefined ? {} : { store }),
    ...(project === undefined ? {} : { project }),
    ...(agent === undefined ? {} : { agent }),
    ...(isolation === undefined ? {} : { isolation }),
    ...(embedder === undefined ? {} : { embedder }),
    ...(zone === undefined ? {} : { zone }),
    ...(weights === undefined ? {} : { weights }),
  };
  const request = {
    ...(env ? { env } : {}),
    ...(cwd ? { cwd } : {}),
    impossibleEmbedder: options.impossibleEmbedder ?? 'fail',
  };
  const config = await resolveConfig({ ...request, flags });
  const [{ systemClock }, { randomIds }, { o200kTokens }] = await Promise.all([
    import('./models/system/clock.ts'),
    import('./models/system/ids.ts'),
    import('./models/tokens/o200k.ts'),
  ]);
  const [clock, ids] = [systemClock, randomIds()];
  const notices = [...config.warnings];
  const onNotice = (text: string): void => void notices.push(text);
  const { engine, documentStore } = await openEngine(config, options, { clock, ids, onNotice });
  const tokens = o200kTokens();
  const backlog = tokenBacklog(engine, tokens);
  const embedders = await embeddersOf(config);
  const vectors = embeddingBacklog(embedders, engine);
  const beside = { engine, documentStore, embedders, clock, ids };
  const documents = documentsOf(config, options, beside);
  const close = async (): Promise<void> => {
    await backlog.close();
    await vectors.close();
    await documents.close();
    for (const one of embedders) await one.close();
    await engine.close();
  };
  const { name, repository } = config.project;
  const { gitWorkspace } = await import('./models/workspace/git.ts');
  const code = gitWorkspace.code(cwd ?? process.cwd());
  const forAgent = config.agent ?? (engine.isolated ? options.agentIfIsolated : undefined);
  const deps = {
    engine,
    clock,
    ids,
    tokens,
    backlog,
    documents,
    ...(code ? { code } : {}),
    embedders,
    vectors,
    ...(config.weights ? { weights: config.weights.values } : {}),
    past: async (recordedMs: number): Promise<Engine> => {
      const { asRecorded } = await import('./engines/in-memory/as-recorded.ts');
      return asRecorded(engine, recordedMs, { clock, ids });
    },
    others: otherStores(options, { clock, ids, onNotice }),
    scope: {
      project: name,
      ...(repository ? { repository } : {}),
      ...(forAgent === undefined ? {} : { agent: forAgent }),
      actor: redact(options.actor ?? forAgent ?? 'owner').text,
      source: options.source ?? 'owner',
      zone: config.zone,
    },
    secrets: config.secrets,
    notices,
    version: version(),
  };
  return new Loci(deps, close);
}

/** Stores that a verb names beside the one that is open. */
function otherStores(options: OpenOptions, sources: EngineSources): OtherStores {
  const { cwd = process.cwd(), env, isolation } = options;
  return {
    async readLog(name) {
      const path = resolve(cwd, name.replace(/^sqlite:/, ''));
      const isSqlite = isSqliteFile(path);
      if (isSqlite) return (await import('./engines/sqlite/read-log.ts')).readSqliteLog(path);
      return (await import('./engines/vault/read-log.ts')).readVaultLog(path);
    },
    async open(store, create = true) {
      const config = await resolveConfig({
        flags: { store, ...(isolation === undefined ? {} : { isolation }) },
        cwd,
        ...(env ? { env } : {}),
        impossibleEmbedder: 'warn',
      });
      return (await openEngine(config, { ...options, create, watch: false }, sources)).engine;
    },
  };
}

/** @throws LociError not_found, invalid_input for a folder that is no vault */
function isSqliteFile(path: string): boolean {
  const hint = 'Name a vault, an events.ndjson file or a store in an SQLite file.';
  if (!existsSync(path)) throw new LociError('not_found', `there is nothing at ${path}`, hint);
  if (statSync(path).isDirectory()) {
    if (existsSync(join(path, 'events.ndjson'))) return false;
    throw new LociError('invalid_input', `${path} has no log: it is no vault`, hint);
  }
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(15);
    readSync(file, head);
    return head.toString('latin1') === 'SQLite format 3';
  } finally {
    closeSync(file);
  }
}

/** Loads nothing until an embedder is used. */
async function embeddersOf(config: ResolvedConfig): Promise<readonly Embedder[]> {
  if (config.embedders.length === 0) return [];
  const { createEmbedders } = await import('./models/embedders/create.ts');
  return createEmbedders(config);
}

interface EngineSources {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly onNotice: (text: string) => void;
}

async function openEngine(
  config: ResolvedConfig,
  options: OpenOptions,
  sources: EngineSources,
): Promise<OpenedEngine> {
  const { store, isolation } = config;
  const shared = {
    ...sources,
    isolated: isolation === 'per-agent',
    ...(options.lockDeadlineMs === undefined ? {} : { lockDeadlineMs: options.lockDeadlineMs }),
  };
  if (store.kind === 'memory') {
    const { InMemoryEngine } = await import('./engines/in-memory/engine.ts');
    return { engine: new InMemoryEngine(shared) };
  }
  const { kind, path, connect } = store;
  if (connect !== undefined) {
    const { openPostgres } = await import('./engines/postgres/open.ts');
    const engine = await openPostgres({ ...shared, url: connect });
    return { engine, documentStore: async () => engine.documents() };
  }
  let inProcess: PostgresEngine | undefined;
  const openStore = async (): Promise<Engine> => {
    if (kind === 'pglite') {
      const { openPgliteStore } = await import('./engines/postgres/open.ts');
      inProcess = await openPgliteStore({ ...shared, path });
      return inProcess;
    }
    if (kind === 'sqlite') {
      const { openSqlite } = await import('./engines/sqlite/open.ts');
      return openSqlite({ ...shared, path });
    }
    const { openVault } = await import('./engines/vault/engine.ts');
    return openVault({ ...shared, path, watch: options.watch ?? false });
  };
  const documentStore =
    kind === 'pglite' ? { documentStore: async () => inProcess?.documents() } : {};
  const marks = { sqlite: path, pglite: join(path, 'data'), vault: join(path, 'events.ndjson') };
  const exists = (): boolean => existsSync(marks[kind as keyof typeof marks]);
  const isThere = exists() || (kind === 'vault' && holdsMarkdown(path, shared.isolated));
  if (options.create || isThere) {
    return { engine: await openStore(), ...documentStore };
  }
  const { InMemoryEngine } = await import('./engines/in-memory/engine.ts');
  const { unbornEngine } = await import('./engines/unborn/engine.ts');
  const { isolated } = shared;
  const empty = new InMemoryEngine(shared);
  const location = kind === 'pglite' ? store.url : path;
  const unborn = { kind, location, isolated, empty, exists, open: openStore, driver };
  return { engine: unbornEngine(unborn), ...documentStore };
}

/** The library that opens SQLite's files in this process. */
async function driver(): Promise<string> {
  const { sqliteDriver } = await import('./engines/sqlite/drivers/index.ts');
  return sqliteDriver().name;
}

interface OpenedEngine {
  readonly engine: Engine;
  /** Of an engine that keeps the documents itself; undefined while there is no store. */
  readonly documentStore?: () => Promise<DocumentStore | undefined>;
}

interface DocumentSources extends OpenedEngine {
  readonly embedders: readonly Embedder[];
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The documents of a store lie beside it, and are opened when they are first asked for. */
function documentsOf(
  { store: { kind, path } }: ResolvedConfig,
  { cwd = process.cwd(), lockDeadlineMs }: OpenOptions,
  { engine, documentStore, embedders, ...sources }: DocumentSources,
): Documents & { close(): Promise<void> } {
  const shared = { ...sources, ...(lockDeadlineMs === undefined ? {} : { lockDeadlineMs }) };
  const file = kind === 'vault' ? join(path, '.memory-docs.db') : `${path}-docs.db`;
  let opened: Promise<DocumentStore> | undefined;
  let vectors: EmbeddingBacklog | undefined;
  const openStore = async (): Promise<DocumentStore> => {
    if (kind === 'memory') {
      const { InMemoryDocuments } = await import('./engines/in-memory/documents.ts');
      return new InMemoryDocuments(shared);
    }
    // A store that is not there yet is made by its first write, and this is one.
    if (documentStore ? !(await documentStore()) : !existsSync(file)) {
      const nothing = { ids: [], contentKeys: [], actor: 'owner' };
      await engine.commit(nothing, () => ({ changes: [], result: undefined }));
    }
    const own = await documentStore?.();
    if (own) return own;
    if (kind === 'vault') {
      const { openVaultDocuments } = await import('./engines/vault/documents.ts');
      return openVaultDocuments({ ...shared, path });
    }
    const { openSqliteDocuments } = await import('./engines/sqlite/documents.ts');
    return openSqliteDocuments({ ...shared, path: file });
  };
  const create = (): Promise<DocumentStore> => {
    opened ??= openStore().then(
      (store) => {
        vectors = embeddingBacklog(embedders, store.engine, { saysChange: false });
        return store;
      },
      (error: unknown) => {
        opened = undefined;
        throw error;
      },
    );
    return opened;
  };
  return {
    cwd,
    create,
    async open() {
      if (opened) return create();
      if (documentStore) {
        const roots = await (await documentStore())?.roots();
        return roots?.length ? create() : undefined;
      }
      return kind !== 'memory' && existsSync(file) ? create() : undefined;
    },
    get vectors() {
      return vectors;
    },
    embed: async (progress) => embedRest(embedders, (await create()).engine, progress),
    async close() {
      const store = await opened;
      await vectors?.close();
      await store?.engine.close();
    },
  };
}

/** A vault whose log was lost, or that another program made, is one all the same. */
function holdsMarkdown(path: string, isolated: boolean): boolean {
  const folders = isolated ? ['ENTITIES', 'agents', 'shared'] : ['ENTITIES'];
  return folders.some((folder) => existsSync(join(path, folder)));
}
