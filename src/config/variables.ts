import { nearestOf } from '../domain/parse.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const KNOWN = [
  'LOCI_STORE',
  'LOCI_PROJECT',
  'LOCI_AGENT',
  'LOCI_ISOLATION',
  'LOCI_SURFACE',
  'LOCI_ZONE',
  'LOCI_WEIGHTS',
  'LOCI_EMBEDDER',
  'LOCI_EMBED_MODEL',
  'LOCI_EMBED_BASE_URL',
  'LOCI_EMBED_API_KEY',
  'LOCI_EMBED_DIMENSIONS',
  'LOCI_EMBED_TIMEOUT_MS',
  'LOCI_ENCRYPTION_KEY',
  'LOCI_LLM_PROVIDER',
  'LOCI_MODEL_TIER',
  'LOCI_CLAUDE_BIN',
  'LOCI_ENTITY_CONTEXT_TOP_N',
];
const KNOWN_PATTERN = /^LOCI_[A-Z]+_(MODEL|MAX_USD)$/;

/** One warning for each `LOCI_` variable that nothing reads: most likely a slip of the pen. */
export function unknownVariables(env: Environment, where: string): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('LOCI_') && env[name]?.trim())
    .filter((name) => !KNOWN.includes(name) && !KNOWN_PATTERN.test(name))
    .map((name) => {
      const nearest = nearestOf(name, KNOWN);
      return `${name} (${where}) is not a variable of Loci${nearest ? `; did you mean ${nearest}?` : ''}`;
    });
}
