/** All tables, and the two functions that act as their owner. */
export const TABLES = `
  CREATE TABLE store (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    id text NOT NULL,
    replica text NOT NULL,
    epoch text NOT NULL,
    isolated boolean NOT NULL,
    -- Counts the rebuilds; each gives out document numbers anew.
    generation bigint NOT NULL DEFAULT 0,
    -- Grows with every change of what searches keep in memory.
    revision bigint NOT NULL DEFAULT 0,
    -- Of the last event, in order of local arrival.
    position bigint NOT NULL DEFAULT 0,
    hlc bigint NOT NULL DEFAULT 0,
    -- Last of the numbers that memories and segments are given; never goes back.
    sequence bigint NOT NULL DEFAULT 0,
    spaces integer NOT NULL DEFAULT 0,
    -- The database it lies in: one that wakes up in another is a copy, and a replica of its own.
    home text NOT NULL
  );
  CREATE TABLE tips (replica text COLLATE "C" PRIMARY KEY, rseq bigint NOT NULL, prev text NOT NULL);
  CREATE TABLE projects (key text COLLATE "C" PRIMARY KEY, name text NOT NULL, line text NOT NULL);

  -- What the log keeps beside memories; the event that holds of each.
  CREATE TABLE records (
    subject text COLLATE "C" PRIMARY KEY,
    kind text COLLATE "C" NOT NULL,
    project text COLLATE "C" NOT NULL,
    agent text COLLATE "C" NOT NULL,
    line text NOT NULL
  );
  CREATE INDEX records_kind ON records (kind, project);

  -- The log.
  CREATE TABLE events (
    project text COLLATE "C" NOT NULL,
    pos bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    run text COLLATE "C",
    line text NOT NULL,
    PRIMARY KEY (project, pos)
  );
  CREATE INDEX events_id ON events (id);
  CREATE INDEX events_run ON events (run) WHERE run IS NOT NULL;
  CREATE INDEX events_pos ON events (pos);
  CREATE INDEX events_subject ON events (subject, pos);

  -- Evidence, by its hash.
  CREATE TABLE evidence (sha256 text COLLATE "C" PRIMARY KEY, bytes bytea NOT NULL);

  -- Current state. doc is the number that the postings of its space know a memory by; it changes
  -- with the text, and sequence with it.
  CREATE TABLE memories (
    project text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    space integer NOT NULL,
    doc integer NOT NULL,
    sequence bigint NOT NULL,
    -- Of the store, when the row was last written.
    revision bigint NOT NULL,
    agent text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    tier text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    confidence double precision NOT NULL,
    source text COLLATE "C" NOT NULL,
    session_id text COLLATE "C",
    turn bigint NOT NULL,
    created_at text COLLATE "C" NOT NULL,
    updated_at text COLLATE "C" NOT NULL,
    created_ms double precision NOT NULL,
    starts_ms double precision,
    ends_ms double precision,
    superseded_ms double precision,
    tags text[] NOT NULL,
    -- Hashes: what other systems call a memory may be of any length. NULL = nothing.
    external_keys text[],
    content_key text COLLATE "C" NOT NULL,
    text_key text COLLATE "C" NOT NULL,
    length integer NOT NULL,
    version integer NOT NULL,
    heads text NOT NULL,
    tokens integer,
    front text,
    conflict_of text COLLATE "C",
    data text NOT NULL,
    PRIMARY KEY (project, id)
  );
  CREATE INDEX memories_id ON memories (id);
  CREATE INDEX memories_space ON memories (project, space, doc);
  CREATE INDEX memories_timed ON memories (project, space, revision)
    WHERE starts_ms IS NOT NULL OR ends_ms IS NOT NULL;
  CREATE INDEX memories_sequence ON memories (sequence);
  CREATE INDEX memories_created ON memories (created_at, id);
  CREATE INDEX memories_content ON memories (content_key);
  CREATE INDEX memories_text ON memories (text_key, project);
  CREATE INDEX memories_external ON memories USING gin (external_keys)
    WHERE external_keys IS NOT NULL;
  CREATE INDEX memories_session
    ON memories (project, space, left(session_id, 200), turn, created_at, id)
    WHERE session_id IS NOT NULL;
  CREATE INDEX memories_conflict ON memories (conflict_of) WHERE conflict_of IS NOT NULL;
  CREATE TABLE relations (
    project text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    place integer NOT NULL,
    type text COLLATE "C" NOT NULL,
    target text COLLATE "C" NOT NULL,
    confidence double precision NOT NULL,
    origin text NOT NULL,
    PRIMARY KEY (project, source, place)
  );
  CREATE INDEX relations_source ON relations (source);
  CREATE INDEX relations_target ON relations (left(target, 200));

  -- Who names whom, by the project of the one who does; counted by upkeep.
  CREATE TABLE citations (
    project text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    target text COLLATE "C" NOT NULL,
    mentions integer NOT NULL,
    PRIMARY KEY (project, source, target)
  );
  CREATE INDEX citations_target ON citations (target);

  -- What is remembered about derived work.
  CREATE TABLE notes (name text COLLATE "C" PRIMARY KEY, body text NOT NULL);

  -- Keys by which living memories with much the same text are found.
  CREATE TABLE likeness (
    project text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    key bigint NOT NULL,
    created_ms double precision NOT NULL,
    PRIMARY KEY (project, id, key)
  );
  CREATE INDEX likeness_key ON likeness (key, created_ms, id);

  -- Keyword search. A space is one project and drawer: statistics never cross it.
  CREATE TABLE spaces (
    project text COLLATE "C" NOT NULL,
    agent text COLLATE "C" NOT NULL,
    space integer NOT NULL,
    next_doc integer NOT NULL,
    -- Documents that no segment holds yet.
    waiting integer NOT NULL,
    documents integer NOT NULL,
    total_length bigint NOT NULL,
    PRIMARY KEY (project, agent)
  );
  CREATE TABLE segments (
    project text COLLATE "C" NOT NULL,
    space integer NOT NULL,
    segment bigint NOT NULL,
    docs bytea NOT NULL,
    lengths bytea NOT NULL,
    PRIMARY KEY (project, space, segment)
  );
  CREATE TABLE postings (
    project text COLLATE "C" NOT NULL,
    segment bigint NOT NULL,
    term text COLLATE "C" NOT NULL,
    list bytea NOT NULL,
    PRIMARY KEY (project, segment, term)
  );
  CREATE TABLE deltas (
    project text COLLATE "C" NOT NULL,
    space integer NOT NULL,
    doc integer NOT NULL,
    entry text NOT NULL,
    PRIMARY KEY (project, space, doc)
  );
  CREATE TABLE doc_states (
    project text COLLATE "C" NOT NULL,
    space integer NOT NULL,
    chunk integer NOT NULL,
    states bytea NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (project, space, chunk)
  );
  -- Vectors of texts, one row a passage. They are derived: what is lost is embedded again.
  CREATE TABLE vector_models (
    model integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    fingerprint text COLLATE "C" NOT NULL UNIQUE,
    info text NOT NULL,
    dimensions integer NOT NULL,
    passages bigint NOT NULL DEFAULT 0,
    -- Every memory up to this sequence has vectors.
    complete bigint NOT NULL DEFAULT 0,
    indexed boolean NOT NULL DEFAULT false
  );
  CREATE TABLE vectors (
    project text COLLATE "C" NOT NULL,
    model integer NOT NULL,
    key text COLLATE "C" NOT NULL,
    passage integer NOT NULL,
    embedding vector NOT NULL,
    -- The same in whole numbers, which every process keeps of the spaces it searches.
    codes bytea NOT NULL,
    PRIMARY KEY (project, model, key, passage)
  );
  CREATE INDEX vectors_key ON vectors (model, key);

  -- Which transaction wrote vectors of what: who has seen all up to one asks for what came after it.
  CREATE TABLE vector_writes (
    project text COLLATE "C" NOT NULL,
    model integer NOT NULL,
    written bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
    key text COLLATE "C" NOT NULL,
    PRIMARY KEY (project, model, written, key)
  );

  -- Who uses a store owns none of its tables, and an index is made by their owner alone: hence
  -- these two. They do nothing else, and take numbers only.
  CREATE FUNCTION index_vectors(number integer) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $body$
  DECLARE
    dims integer := (SELECT dimensions FROM vector_models WHERE model = number);
    kind text := CASE WHEN dims <= 2000 THEN 'vector' WHEN dims <= 4000 THEN 'halfvec' END;
  BEGIN
    IF kind IS NULL THEN RETURN; END IF;
    EXECUTE format(
      'CREATE INDEX IF NOT EXISTS vectors_hnsw_%s ON vectors'
        ' USING hnsw ((embedding::%s(%s)) %s_ip_ops) WHERE model = %s',
      number, kind, dims, kind, number);
    UPDATE vector_models SET indexed = true WHERE model = number;
  END $body$;
  CREATE FUNCTION drop_vectors(number integer) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $body$
  BEGIN
    EXECUTE format('DROP INDEX IF EXISTS vectors_hnsw_%s', number);
    DELETE FROM vectors WHERE model = number;
    DELETE FROM vector_writes WHERE model = number;
    DELETE FROM vector_models WHERE model = number;
  END $body$;
  REVOKE EXECUTE ON FUNCTION index_vectors(integer), drop_vectors(integer) FROM PUBLIC;

  -- Indexed files, for the schema that documents have to themselves. ids: of the sections.
  CREATE TABLE document_roots (path text COLLATE "C" PRIMARY KEY, readers text NOT NULL);
  CREATE TABLE document_files (
    root text COLLATE "C" NOT NULL,
    file text COLLATE "C" NOT NULL,
    size bigint NOT NULL,
    modified_ms double precision NOT NULL,
    changed_ms double precision NOT NULL,
    hash text NOT NULL,
    ids text NOT NULL,
    PRIMARY KEY (root, file)
  );

  -- They are dense numbers: trying to compress them costs more than it saves.
  ALTER TABLE segments ALTER docs SET STORAGE EXTERNAL, ALTER lengths SET STORAGE EXTERNAL;
  ALTER TABLE postings ALTER list SET STORAGE EXTERNAL;
  ALTER TABLE evidence ALTER bytes SET STORAGE EXTERNAL;
  ALTER TABLE doc_states ALTER states SET STORAGE EXTERNAL;
  ALTER TABLE vectors ALTER codes SET STORAGE MAIN;
`;
