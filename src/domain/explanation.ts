/** How a score came about. */
export interface Explanation {
  /** What each word of the question brought, and how many visible memories hold it. */
  readonly terms: readonly { term: string; part: number; documents: number }[];
  /** Factor of adjacent words and of words in the title, multiplied into the words' parts. */
  readonly pairs_and_subject: number;
  /** Words' parts with that factor. */
  readonly raw: number;
  /** What a memory that holds the whole question would bring, in the unit of `raw`. */
  readonly asked: number;
  /** `raw` ÷ `asked`. */
  readonly keyword: number;
  /** What each embedder added to that. */
  readonly meaning: readonly { embedder: string; cosine: number; part: number }[];
  /** Factors by name, multiplied into the sum of both. */
  readonly factors: Readonly<Record<string, number>>;
  /** What the best other hit of the same session added. */
  readonly session: number;
  /** The sum of all that as a score from 0 to 1. */
  readonly relevance: number;
  /** What the memory is, multiplied into that: recency, type, confidence, trust, entity. */
  readonly multipliers: Readonly<Record<string, number>>;
  /** What a neighbour that answers added: of what is missing to 1, this share. */
  readonly graph?: { readonly boost: number; readonly from: string };
}

/** What became of the candidates of a recall. */
export interface RecallExplanation {
  /** Candidates that each channel brought. */
  readonly channels: Readonly<Record<string, number>>;
  /**
   * How many were left out, by reason: criteria of the filter (counted among the 500 best matches), and
   * the stages after it.
   */
  readonly filtered: Readonly<Record<string, number>>;
  /** What was applied, defaults too; null = not at all. */
  readonly settings: Readonly<Record<string, number | null>>;
}

/** Why a memory is not among the results, or that it is. */
export interface WhyNot {
  readonly id: string;
  /** Where it was lost. */
  readonly stage:
    | 'returned'
    | 'unknown'
    | 'filtered'
    | 'not_matched'
    | 'below_min_score'
    | 'tier_stopped'
    | 'copy'
    | 'beyond_limit'
    | 'over_budget';
  readonly message: string;
  readonly score?: number;
  /** Place among what was left at that stage, from 1. */
  readonly rank?: number;
  readonly limit?: number;
  readonly floor?: number;
  /** Criteria that it fails, with what it has there. */
  readonly criteria?: readonly { readonly criterion: string; readonly value: string }[];
  /** The tier that answered for sure. */
  readonly at?: string;
  /** A memory that says the same. */
  readonly of?: string;
  /** Tokens that it takes, and that were left. */
  readonly tokens?: number;
  readonly left?: number;
}
