/**
 * Every number of keyword ranking. Unless a source is given, a value was measured: recall@10 and
 * @5 on four development sets (notes of coding agents, and three sets of conversations), varied
 * one at a time, and kept where all four lie on a plateau; none is the best value of one set.
 */
export const KEYWORD = {
  /** Saturation of term frequency. BM25 (Robertson, Zaragoza 2009) uses 1.2 to 2. */
  k1: 2,
  /** Length normalisation, 0..1. Below 0.85 long answers bury the short note that says it. */
  b: 0.9,
  /**
   * Words. Shorter memories count as this long, and so does the mean: without a floor "Thanks,
   * Ann!" beats every sentence about Ann (−5 points of recall on short turns).
   */
  minLength: 20,

  /** Weights of the fields in the term frequency (BM25F: one saturation over all of them). */
  body: 1,
  head: 1,
  tags: 1,
  /** 0 loses 5 points where turns are short, 0.5 loses 1 to 3 where they are long. */
  context: 0.3,
  /** Words of the preceding memory that are its context; 20 to 30 are equal, 60 is worse. */
  contextTokens: 30,

  /**
   * Weight of a whole identifier, in units of its information. It is also worth at least
   * `dominance` × all ordinary words of the query together (for one that stands in one memory):
   * the memory that holds what was asked for literally must not be outvoted by its neighbours.
   */
  exact: 3,
  dominance: 3,
  /** Weight of the parts of an identifier whose whole is found; 1 if it is found nowhere. */
  part: 0.3,
  /** Bonus of an adjacent pair, times the smaller weight of its two terms (+1 point; 0.3 to 1 are close). */
  pair: 0.6,

  /**
   * A memory whose head (title, speaker, month) holds a term of the query is multiplied by 1 +
   * this: it is about, or by, what was asked (+1 point on conversations with names, and on notes).
   */
  subject: 0.3,

  /**
   * Share of the best other hit of its session that a memory gains (session.ts): +2 to +3 points
   * where turns are short. 0.1 loses half a point there and gains as much where sessions are long.
   */
  session: 0.2,
  /** Candidates that the session prior looks at; 20 to 200 are equal. */
  sessionCandidates: 100,

  /**
   * Bend of the calibrated score 1 − exp(−certainty × matched ÷ asked): a full match is 0.8, a
   * tenth of what was asked 0.15.
   */
  certainty: 1.6,
} as const;

/**
 * Every number of fusion: how keyword and vector evidence become one score. Measured as above, with
 * paired bootstrap intervals; docs/recall.md has the figures.
 */
export const FUSION = {
  /**
   * Worth of a cosine that lies one standard deviation above what is ordinary for the question, in
   * shares of what was asked, where keywords matched nothing; a match of all that was asked leaves it
   * none. From 0.2 to 0.23 all four sets lie on a plateau; 1/12 loses 2 points on notes, 1/4 loses 1 on
   * conversations.
   */
  builtin: 0.22,
  /**
   * The same for an embedder that reads sentences, measured with the Universal Sentence Encoder lite
   * beside the builtin one. From 0.45 to 0.55 all four sets lie on a plateau; 1/4 loses 1 point on notes,
   * 0.6 half a point on short turns, 0.7 more than one.
   */
  sentence: 0.5,
  /**
   * Share that counts of what the weaker of two embedders says of a memory: they read the same text, and
   * what both see is not there twice. From 0.2 to 0.4 all are equal; 1 loses half a point on short turns.
   */
  weaker: 0.3,
  /**
   * What is ordinary before anything is compared, and how many memories that is worth: in a store of
   * three the deviation says nothing.
   */
  ordinary: { mean: 0.3, deviation: 0.12, worth: 10 },
  mostDeviations: 6,
  /** Candidates of the vector channel, and of keywords that get a cosine; 100 to all are equal. */
  candidates: 100,

  /** A memory of the speaker whom the question names is multiplied by 1 + this (+1 point). */
  speaker: 0.6,
  /**
   * A short turn that is a question itself seldom answers one (+0.5 points on short turns; on long
   * ones, which only end in a question, it loses).
   */
  asksBack: 0.85,
  asksBackWords: 20,
} as const;

/**
 * What a memory is, beside what it says: factors on its score, narrow enough that they order what
 * answers equally well and do not bury what answers better. Varied on notes, the only set with types
 * and confidences, none moves recall by more than a question or two of 219; they keep what the types
 * mean. Recency is off: no weight of it found more answers, since the newest is not the likelier one.
 */
export const MULTIPLIERS = {
  /** By type; 1 where it is not listed. */
  types: { constraint: 1.02, decision: 1.02, belief: 0.98, entity_summary: 0.98 } as Readonly<
    Record<string, number>
  >,
  /** Factor of confidence 0 and of confidence 1, a line between: unsure ranks lower, and is not silenced. */
  confidence: { least: 0.9, most: 1.02 },
  /** Said by a source that nobody vouches for. */
  untrusted: 0.9,
  /** Share of its score that age can take away, 0 to 1, and days after which half of that is gone. */
  recency: { weight: 0, halfLifeDays: 30 },
  /** Linked to an entity that the question names. */
  entity: 1.05,
} as const;

/** Spreading along edges, from the best hits to their neighbours. */
export const NEIGHBOURS = {
  /** Hits that pass on. */
  seeds: 10,
  /** Share of its score that a memory passes on. */
  boost: 0.15,
  /** What a hub passes on is divided by its degree to this power: 0 = undamped. */
  damping: 1,
} as const;

/**
 * Scores below this are not worth showing by default. At 0.2 no right answer of the four sets is lost
 * from the first ten; at 0.3 one paraphrase in five is.
 */
const DEFAULT_MIN_SCORE = 0.2;

/** What recall leaves out after scoring, where a call does not say it. */
export const CHOICE = {
  minScore: DEFAULT_MIN_SCORE,
  /** Share of the score in what is chosen next; the rest is unlikeness to what was chosen (MMR). */
  diversity: 0.7,
  /** Score from which a hit of a tier is sure, and the tiers after it are left out. */
  confidenceThreshold: 0.82,
} as const;
