import type { Diagnosis } from '../finding.ts';
import type { Memory } from '../memory.ts';
import { daysSince, incomingOf, liveMemory, outgoingOf, type LintSubjects } from './subjects.ts';

/** Relations whose source leans on its target. */
const LEANS = new Set(['supports', 'depends_on', 'extends', 'evolved_into', 'caused_by']);
/** So many memories that lean on one say more than a low figure does. */
const MANY = 3;
const LOW = 0.5;
const HIGH = 0.9;
/** Above this, a belief claims to be more than a guess. */
const FIRM = 0.7;
const CONFIDENCE = 0.6;

/** Memories whose confidence and whose standing in the graph have drifted apart. */
export function confidenceDrift(subjects: LintSubjects): readonly Diagnosis[] {
  return [...subjects.memories.values()].flatMap((memory): Diagnosis[] => {
    const message = driftOf(memory, subjects);
    if (message === undefined) return [];
    return [
      {
        check: 'confidence_drift',
        severity: 'info',
        confidence: CONFIDENCE,
        ids: [memory.id],
        message,
        fix: `loci update ${memory.id} --confidence N`,
      },
    ];
  });
}

function driftOf(memory: Memory, subjects: LintSubjects): string | undefined {
  const { id, confidence, type } = memory;
  const incoming = incomingOf(id, subjects);
  const leaning = incoming.filter(
    (edge) => LEANS.has(edge.type) && liveMemory(edge.source, subjects),
  );
  if (confidence < LOW && leaning.length >= MANY) {
    return `${id} has confidence ${confidence}, and ${leaning.length} memories lean on it`;
  }
  const against = [...incoming, ...outgoingOf(id, subjects)]
    .filter((edge) => edge.type === 'contradicts')
    .map(({ source, target }) => liveMemory(source === id ? target : source, subjects))
    .find((other) => other !== undefined && other.confidence >= LOW);
  if (confidence >= HIGH && against) {
    return `${id} has confidence ${confidence}, and ${against.id} contradicts it`;
  }
  const days = daysSince(memory.updated_at, subjects);
  if (type === 'belief' && confidence >= FIRM && days > subjects.staleDays && !leaning.length) {
    return `${id} is a belief of confidence ${confidence} that nothing has confirmed for ${days} days`;
  }
  return undefined;
}
