import type { Diagnosis } from '../../domain/finding.ts';
import type { DoctorOptions } from '../../domain/inputs.ts';
import { doctorOptions } from '../../domain/options.ts';
import { parseInput } from '../../domain/parse.ts';
import type { DoctorResult, Mended } from '../../domain/results.ts';
import type { Deps } from '../../ports/deps.ts';
import type { Progress } from '../../ports/log-life.ts';
import { embedRest } from '../embed-pending.ts';
import { examineEmbedders } from './embedders.ts';
import { examined, type Examined } from './examined.ts';
import { examineLinks } from './links.ts';
import { examineContents, examineGround } from './store.ts';

/**
 * Examines a store from the ground up. With `fix`, does what can do no harm and looks again: a damaged
 * index is built anew, what has no vectors is embedded. Nothing is ever deleted.
 */
export async function doctor(
  options: DoctorOptions,
  deps: Deps,
  progress?: Progress,
): Promise<DoctorResult> {
  const { fix } = parseInput(doctorOptions, options, 'doctor');
  const before = await examine(deps);
  const fixed = fix ? await mend(before.findings, deps, progress) : [];
  const { facts, findings } = fixed.length > 0 ? await examine(deps) : before;
  return { findings, fixed, examined: facts };
}

async function examine(deps: Deps): Promise<Examined> {
  const parts = [
    await examineGround(deps),
    await examineContents(deps),
    await examineLinks(deps),
    await examineEmbedders(deps),
    examineSettings(deps),
  ];
  return examined(
    parts.flatMap(({ facts }) => facts),
    parts.flatMap(({ findings }) => findings),
  );
}

/** Settings that nothing reads, and what else was noticed when the store was opened. */
function examineSettings({ notices, version }: Deps): Examined {
  const message = `loci ${version}, Node ${process.versions.node}`;
  return examined(
    [
      { check: 'program', ok: true, message },
      { check: 'config', ok: notices.length === 0, message: notices.join('; ') || 'sound' },
    ],
    notices.map((notice) => ({
      check: 'config',
      severity: 'warning',
      confidence: 1,
      ids: [],
      message: notice,
      fix: 'loci config',
    })),
  );
}

async function mend(
  findings: readonly Diagnosis[],
  { engine, embedders = [] }: Deps,
  progress: Progress | undefined,
): Promise<readonly Mended[]> {
  const open = findings.filter(({ fix }) => fix !== undefined);
  const has = (check: string): boolean => open.some((finding) => finding.check === check);
  const mended: Mended[] = [];
  if (has('index') || has('files')) {
    const { memories, edits } = await engine.reindex(progress ? { progress } : {});
    const message = `built the index again (memories: ${memories}, edits taken up: ${edits})`;
    mended.push({ check: 'index', message });
  }
  if (open.some(({ check, fix }) => check === 'embedder' && fix === 'loci re-embed')) {
    const troubles = await embedRest(embedders, engine, progress);
    if (troubles.length === 0) {
      mended.push({ check: 'embedder', message: 'embedded what had no vectors yet' });
    }
  }
  return mended;
}
