import { Client } from 'pg';

const K = 10;
/** What each of the two ways may bring. */
const CANDIDATES = 50;

/**
 * The memories of a store in one table, with indexes for words and vectors.
 * @param {string} url
 * @param {number} dims
 */
export async function plainTable(url, dims) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`
    CREATE TABLE plain (id text PRIMARY KEY, title text, body text, words tsvector,
      embedding vector(${dims}));
    INSERT INTO plain
      SELECT m.id, d.title, d.body, to_tsvector('english', d.title || ' ' || d.body), v.embedding
      FROM loci.memories m
      CROSS JOIN LATERAL (SELECT m.data::json ->> 'title' AS title, m.data::json ->> 'body' AS body) d
      JOIN loci.vectors v ON v.project = m.project AND v.key = m.text_key AND v.passage = 0
      JOIN loci.vector_models USING (model) WHERE dimensions = ${dims};
    SET maintenance_work_mem = '512MB';
    CREATE INDEX ON plain USING gin (words);
    CREATE INDEX ON plain USING hnsw (embedding vector_cosine_ops);
    ANALYZE`);
  const { rows } = await client.query('SELECT embedding::text FROM plain ORDER BY id LIMIT 500');
  const vectors = rows.map(({ embedding }) => String(embedding));
  /** @param {number} round */
  const vectorAt = (round) => vectors[round % vectors.length];
  return {
    /**
     * One statement that joins both ways by their ranks.
     * @param {string} question
     * @param {number} round
     */
    async ask(question, round) {
      const words = question.match(/[\p{L}\p{N}]+/gu) ?? [];
      const found = await client.query({
        name: 'ask',
        text: `
          WITH by_words AS (
            SELECT id, row_number() OVER (ORDER BY ts_rank_cd(words, q) DESC) AS place
            FROM plain, to_tsquery('english', $1) q WHERE words @@ q
            ORDER BY place LIMIT ${CANDIDATES}),
          by_vector AS (
            SELECT id, row_number() OVER () AS place FROM (
              SELECT id FROM plain ORDER BY embedding <=> $2::vector LIMIT ${CANDIDATES}) AS n)
          SELECT p.* FROM plain p JOIN (
            SELECT id, sum(1.0 / (60 + place)) AS score
            FROM (SELECT * FROM by_words UNION ALL SELECT * FROM by_vector) AS both_ways
            GROUP BY id ORDER BY score DESC LIMIT ${K}) AS best USING (id)
          ORDER BY best.score DESC`,
        values: [words.join(' | '), vectorAt(round)],
      });
      return found.rows;
    },
    /**
     * @param {{ readonly title: string, readonly body: string }} memory
     * @param {number} round
     */
    async insert({ title, body }, round) {
      await client.query({
        name: 'insert',
        text: `INSERT INTO plain VALUES ($1, $2, $3, to_tsvector('english', $2 || ' ' || $3), $4)`,
        values: [`plain-${round}`, title, body, vectorAt(round)],
      });
    },
    close: () => client.end(),
  };
}
