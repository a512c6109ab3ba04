import { LociError } from '../domain/errors.ts';
import { nearestOf } from '../domain/parse.ts';

/** Keys of a store's `config.yaml` that this version reads; other keys are somebody else's. */
const CONFIG_KEYS = [
  'project',
  'agent',
  'isolation',
  'surface',
  'embedder',
  'embed_model',
  'embed_base_url',
  'embed_dimensions',
  'embed_timeout_ms',
  'zone',
  'weights',
] as const;
/** A store may be copied, shared and kept in git: a key does not belong there. */
const KEY = 'embed_api_key';
export type ConfigKey = (typeof CONFIG_KEYS)[number];
export type ConfigFile = Readonly<Partial<Record<ConfigKey, string>>>;

const PLAIN_LINE = /^([A-Za-z_][\w-]*):[ \t]*(?:([\w./@-][\w./@ -]*?))?[ \t]*(?:[ \t]#.*)?$/;
/** Words that YAML does not read as text. */
const NOT_TEXT = /^(null|true|false|yes|no|on|off|[-.\d].*)$/i;

/**
 * Reads a configuration file. The plain case (`key: word` lines) takes no library, so that a
 * start costs nothing; all else is left to YAML.
 * @throws LociError invalid_input that names the file and line
 */
export async function parseConfigFile(
  text: string,
  path: string,
): Promise<{ values: ConfigFile; warnings: string[] }> {
  const content = plainMap(text) ?? (await yamlMap(text, path));
  const values: Partial<Record<ConfigKey, string>> = {};
  for (const key of CONFIG_KEYS) {
    const value = Object.hasOwn(content, key) ? content[key] : undefined;
    if (value === undefined || value === null || value === '') continue;
    if (key === 'weights') {
      values[key] = listed(value);
      continue;
    }
    if (typeof value === 'object') {
      throw new LociError('invalid_input', `${path}: ${key} is not a word`, `Write ${key}: NAME`);
    }
    values[key] = String(value);
  }
  return { values, warnings: slips(Object.keys(content), path) };
}

/** A map of weights in the form that variables have: `name=number, name=number`. */
function listed(value: unknown): string {
  if (typeof value !== 'object') return String(value);
  return Object.entries(value as object)
    .map(([name, number]) => `${name}=${String(number)}`)
    .join(', ');
}

function plainMap(text: string): Record<string, unknown> | undefined {
  const content: Record<string, unknown> = Object.create(null);
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    if (/^\s*(#.*)?$/.test(line)) continue;
    const found = PLAIN_LINE.exec(line);
    const [, key, value = ''] = found ?? [];
    if (key === undefined || NOT_TEXT.test(value) || key in content) return undefined;
    content[key] = value;
  }
  return content;
}

async function yamlMap(text: string, path: string): Promise<Record<string, unknown>> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { logLevel: 'silent' });
  const problem = document.errors[0];
  if (problem) {
    const line = problem.linePos?.[0].line ?? 1;
    throw new LociError(
      'invalid_input',
      `${path}:${line}: ${problem.message.split('\n', 1)[0]}`,
      'Mend the file: nothing is guessed, since it may decide who sees what.',
    );
  }
  const content = toPlain(document, path);
  if (content === null || content === undefined) return {};
  if (typeof content === 'object' && !Array.isArray(content)) {
    return content as Record<string, unknown>;
  }
  throw new LociError('invalid_input', `${path} is not a map`, 'Write lines like project: NAME');
}

/** Aliases are refused: a settings file has no use for them, and they can be made to explode. */
function toPlain(
  document: { toJS(options?: { maxAliasCount?: number }): unknown },
  path: string,
): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (cause) {
    throw new LociError('invalid_input', `${path} has aliases`, 'Write the values out.', { cause });
  }
}

function slips(keys: readonly string[], path: string): string[] {
  const foreign = keys.filter((key) => !CONFIG_KEYS.some((known) => known === key));
  return foreign.flatMap((key) => {
    if (key === KEY) {
      return [`${path}: ${KEY} is not read: a store is no place for a key; set LOCI_EMBED_API_KEY`];
    }
    const nearest = nearestOf(key, CONFIG_KEYS);
    return nearest ? [`${path}: ${key} is not a setting; did you mean ${nearest}?`] : [];
  });
}
