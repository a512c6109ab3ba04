import type { Diagnosis, Finding } from '../../domain/finding.ts';
import { asLociError } from '../../domain/errors.ts';
import type { Examination } from '../../domain/results.ts';
import type { Deps } from '../../ports/deps.ts';
import type { EngineAbout } from '../../ports/engine.ts';
import { diagnosed, examined, type Examined } from './examined.ts';

/** What the store stands on: database library, tables, and where it lies. */
export async function examineGround({ engine }: Deps): Promise<Examined> {
  const facts: Examination[] = [];
  const where = `${engine.location} (${engine.kind})`;
  let about: EngineAbout;
  try {
    about = await engine.about();
  } catch (thrown) {
    const { message, hint } = asLociError(thrown);
    facts.push({ check: 'store', ok: false, message: where });
    facts.push({ check: 'driver', ok: false, message });
    return examined(facts, [error('driver', message, hint)]);
  }
  const { driver, schema, place } = about;
  const findings: Diagnosis[] = [];
  const isMade = driver === null || schema !== null;
  const made = isMade ? where : `${where}, not made yet: the first write makes it`;
  facts.push({ check: 'store', ok: true, message: made });
  facts.push({ check: 'driver', ok: true, message: driver ?? 'none is needed' });
  if (schema) {
    const message = `version ${schema.version} of the tables, this program knows ${schema.current}`;
    facts.push({ check: 'schema', ok: true, message });
  }
  if (place) {
    const problems = placeProblems(engine.location, place);
    findings.push(...problems);
    const message = place.network ? `on ${place.network}` : 'on a local disk, as far as is known';
    const access = place.writable ? 'can be written' : 'cannot be written';
    facts.push({ check: 'place', ok: problems.length === 0, message: `${message}, ${access}` });
  }
  return examined(facts, findings);
}

function placeProblems(
  location: string,
  { writable, network }: NonNullable<EngineAbout['place']>,
): readonly Diagnosis[] {
  const problems: Diagnosis[] = [];
  if (!writable) {
    const message = `${location} cannot be written by this user: memories can only be read`;
    problems.push(error('place', message, `chmod -R u+rwX ${location}`));
  }
  if (network) {
    problems.push({
      check: 'place',
      severity: 'warning',
      confidence: 0.8,
      ids: [],
      message: `${location} lies on a network file system (${network}): locks may not hold there, and several machines may damage the index`,
      fix: 'Keep the store on a local disk, and share a vault through git',
    });
  }
  return problems;
}

/** Log, files and index against each other, and what opening found. */
export async function examineContents({ engine }: Deps): Promise<Examined> {
  const { logOk, filesOk, indexOk, problems } = await engine.verify();
  const messages = new Set(problems.map(({ message }) => message));
  const reported = (await engine.findings()).filter(
    ({ severity, message }) => severity !== 'info' && !messages.has(message),
  );
  return examined(
    [state('log', logOk), state('files', filesOk), state('index', indexOk)],
    [...problems, ...reported].map(settledBy).map(diagnosed),
  );
}

function state(check: string, ok: boolean): Examination {
  return { check, ok, message: ok ? 'sound' : 'not sound' };
}

/** A damaged index is always made good in the same way; a warning says that it has been. */
function settledBy(finding: Finding): Finding {
  const { check, severity, hint } = finding;
  return check === 'index' && severity === 'error' && hint === undefined
    ? { ...finding, hint: 'Run: loci reindex' }
    : finding;
}

function error(check: string, message: string, fix: string | undefined): Diagnosis {
  const certain = { check, severity: 'error', confidence: 1, ids: [], message } as const;
  return fix === undefined ? certain : { ...certain, fix };
}
