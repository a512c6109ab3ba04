/** A memory as a commit reads it. */
const HELD = `RETURNS TABLE (
    data text, version integer, heads text, tokens integer, front text, content_key text,
    conflict_of text, space integer, doc integer, length integer, sequence bigint)`;
const SELECT_HELD = `SELECT m.data, m.version, m.heads, m.tokens, m.front, m.content_key, m.conflict_of,
        m.space, m.doc, m.length, m.sequence`;

/**
 * The statements of every write, as functions: a server keeps the plans of a function for as long as a
 * connection lives, also behind a pooler that gives each transaction another one, where statements that
 * a client prepares get lost. They have the rights of whoever calls them.
 */
export const STATEMENTS = `
  CREATE FUNCTION put_events(bigint, text[], text[], text[], text[], text[]) RETURNS void
  LANGUAGE plpgsql AS $body$
  BEGIN
    INSERT INTO events (project, pos, id, subject, run, line)
      SELECT q.project, $1 + q.n, q.id, q.subject, q.run, q.line
      FROM unnest($2, $3, $4, $5, $6) WITH ORDINALITY AS q (project, id, subject, run, line, n);
  END $body$;

  CREATE FUNCTION put_tips(text[], bigint[], text[]) RETURNS void
  LANGUAGE plpgsql AS $body$
  BEGIN
    INSERT INTO tips (replica, rseq, prev) SELECT * FROM unnest($1, $2, $3)
      ON CONFLICT (replica) DO UPDATE SET rseq = excluded.rseq, prev = excluded.prev
        WHERE tips.rseq < excluded.rseq;
  END $body$;

  CREATE FUNCTION put_memories(
    text[], text[], integer[], integer[], bigint[], bigint[], text[], text[], text[], text[],
    float8[], text[], text[], bigint[], text[], text[], float8[], float8[], float8[], float8[],
    text[], text[], text[], text[], integer[], integer[], text[], integer[], text[], text[], text[]) RETURNS void
  LANGUAGE plpgsql AS $body$
  BEGIN
    INSERT INTO memories (
        project, id, space, doc, sequence, revision, agent, type, tier, status, confidence, source,
        session_id, turn, created_at, updated_at, created_ms, starts_ms, ends_ms, superseded_ms,
        tags, external_keys, content_key, text_key, length, version, heads, tokens, front,
        conflict_of, data)
      SELECT
        project, id, space, doc, sequence, revision, agent, type, tier, status, confidence, source,
        session_id, turn, created_at, updated_at, created_ms, starts_ms, ends_ms, superseded_ms,
        tags::text[], external_keys::text[], content_key, text_key, length, version, heads, tokens,
        front, conflict_of, data
      FROM unnest(
        $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
        $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31)
        AS row (
          project, id, space, doc, sequence, revision, agent, type, tier, status, confidence,
          source, session_id, turn, created_at, updated_at, created_ms, starts_ms, ends_ms,
          superseded_ms, tags, external_keys, content_key, text_key, length, version, heads, tokens,
          front, conflict_of, data);
  END $body$;

  CREATE FUNCTION put_likeness(text[], text[], bigint[], float8[]) RETURNS void
  LANGUAGE plpgsql AS $body$
  BEGIN
    INSERT INTO likeness (project, id, key, created_ms) SELECT * FROM unnest($1, $2, $3, $4);
  END $body$;

  CREATE FUNCTION put_deltas(text, integer, integer[], text[]) RETURNS void
  LANGUAGE plpgsql AS $body$
  BEGIN
    INSERT INTO deltas (project, space, doc, entry)
      SELECT $1, $2, q.doc, q.entry FROM unnest($3, $4) AS q (doc, entry);
  END $body$;

  CREATE FUNCTION put_spaces(
    text[], text[], integer[], integer[], integer[], integer[], bigint[]) RETURNS void
  LANGUAGE plpgsql AS $body$
  BEGIN
    INSERT INTO spaces (project, agent, space, next_doc, waiting, documents, total_length)
      SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (project, agent) DO UPDATE SET next_doc = excluded.next_doc,
        waiting = excluded.waiting, documents = excluded.documents,
        total_length = excluded.total_length;
  END $body$;

  -- States of several chunks, one after the other: where each begins, from 1, and how long it is.
  CREATE FUNCTION put_doc_states(
    text[], integer[], integer[], bytea, integer[], integer[], bigint) RETURNS void
  LANGUAGE plpgsql AS $body$
  BEGIN
    INSERT INTO doc_states (project, space, chunk, states, revision)
      SELECT q.project, q.space, q.chunk, substring($4 FROM q.start FOR q.size), $7
      FROM unnest($1, $2, $3, $5, $6) AS q (project, space, chunk, start, size)
      ON CONFLICT (project, space, chunk)
        DO UPDATE SET states = excluded.states, revision = excluded.revision;
  END $body$;

  CREATE FUNCTION put_store(bigint, bigint, bigint, bigint, bigint, integer) RETURNS void
  LANGUAGE plpgsql AS $body$
  BEGIN
    UPDATE store SET generation = $1, revision = $2, position = $3, hlc = $4, sequence = $5,
      spaces = $6;
  END $body$;

  -- The newest memories of each of these keys of likeness, newest first, at most $2 of each.
  CREATE FUNCTION alike(bigint[], integer) RETURNS TABLE (key bigint, id text)
  LANGUAGE plpgsql STABLE AS $body$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY SELECT k.key, l.id FROM unnest($1) AS k (key)
      CROSS JOIN LATERAL (
        SELECT id, created_ms FROM likeness WHERE key = k.key
        ORDER BY created_ms DESC, id DESC LIMIT $2) AS l
      ORDER BY k.key, l.created_ms DESC, l.id DESC;
  END $body$;

  -- Memories of these ids and foreign keys, conflicts about them, and what is alike. The table itself
  -- is not named as the type of the rows: whoever splits it by project puts another in its place.
  CREATE FUNCTION memories_named(text[], text[], bigint[], integer) ${HELD}
  LANGUAGE plpgsql STABLE AS $body$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY ${SELECT_HELD}
      FROM memories m
      WHERE m.id = ANY($1 || ARRAY(SELECT a.id FROM alike($3, $4) AS a))
        OR m.conflict_of = ANY($1) OR m.external_keys && $2;
  END $body$;

  -- Memories that hold these contents, or those of memories with these ids and foreign keys.
  CREATE FUNCTION memories_holding(text[], text[], text[]) ${HELD}
  LANGUAGE plpgsql STABLE AS $body$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY ${SELECT_HELD}
      FROM memories m
      WHERE m.content_key = ANY($1 || ARRAY(
        SELECT o.content_key FROM memories o WHERE o.id = ANY($2) OR o.external_keys && $3));
  END $body$;

  CREATE FUNCTION subjects_among(text[]) RETURNS SETOF text
  LANGUAGE plpgsql STABLE AS $body$
  BEGIN
    RETURN QUERY SELECT DISTINCT e.subject FROM events e WHERE e.subject = ANY($1);
  END $body$;

  -- Spaces, each with the chunk of states that its next document falls into; $3 documents a chunk.
  CREATE FUNCTION spaces_named(text[], text[], integer) RETURNS TABLE (
    project text, agent text, space integer, next_doc integer, waiting integer, documents integer,
    total_length bigint, states bytea)
  LANGUAGE plpgsql STABLE AS $body$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY
      SELECT s.project, s.agent, s.space, s.next_doc, s.waiting, s.documents, s.total_length, d.states
      FROM unnest($1, $2) AS q (project, agent)
      JOIN spaces s ON s.project = q.project AND s.agent = q.agent
      LEFT JOIN doc_states d
        ON d.project = s.project AND d.space = s.space AND d.chunk = s.next_doc / $3;
  END $body$;
`;
