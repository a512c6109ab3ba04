import { resolveConfig } from '../../../config.ts';
import type { EmbedderChoice } from '../../../domain/embedder-choice.ts';
import { flagsOf, type Invocation } from '../invocation.ts';
import { answer } from '../print/print.ts';
import { table } from '../terminal/table.ts';

/** `config`: every effective setting and where it comes from. */
export async function runConfig(invocation: Invocation): Promise<number> {
  const { env, cwd } = invocation.shell;
  const config = await resolveConfig({ flags: flagsOf(invocation), env, cwd });
  const { origins, warnings } = config;
  const values = {
    store: config.store.url,
    project: config.project.name,
    agent: config.agent ?? null,
    isolation: config.isolation,
    surface: config.surface,
    zone: config.zone,
    weights: config.weights?.setting ?? null,
    ...embedderValues(config.embedders),
  };
  const names = Object.keys(values) as (keyof typeof values)[];
  const result = {
    config: Object.fromEntries(
      names.map((name) => [name, { value: values[name], origin: origins[name] }]),
    ),
    warnings,
  };
  answer(result, invocation, (shown, { style, width }) =>
    table(
      [{ heading: 'SETTING', paint: style.bold }, { heading: 'VALUE' }, { heading: 'FROM' }],
      Object.entries(shown.config).map(([name, { value, origin }]) => [
        name,
        String(value ?? '–'),
        origin,
      ]),
      width,
      style.dim,
    ),
  );
  return 0;
}

/** The embedder that was chosen; of its key only whether there is one. */
function embedderValues(embedders: readonly EmbedderChoice[]) {
  const chosen = embedders.at(-1);
  const isOwn = chosen?.provider === 'builtin';
  return {
    embedder: chosen?.provider ?? 'none',
    embed_model: isOwn ? null : (chosen?.model ?? null),
    embed_base_url: chosen?.baseUrl ?? null,
    embed_api_key: chosen?.apiKey ? 'set' : null,
    embed_dimensions: chosen?.dimensions ?? null,
    embed_timeout_ms: chosen?.timeoutMs ?? null,
  };
}
