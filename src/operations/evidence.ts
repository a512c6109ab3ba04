import * as z from 'zod';
import { LociError } from '../domain/errors.ts';
import { evidenceOptions } from '../domain/log-options.ts';
import { parseInput } from '../domain/parse.ts';
import type { Operation } from './operation.ts';

export const evidence: Operation = {
  name: 'evidence',
  title: 'Evidence',
  description: 'Lists the files that prove a memory, or shows one of them.',
  audience: 'cli',
  input: evidenceOptions,
  get output() {
    return z.looseObject({ evidence: z.array(z.looseObject({ sha256: z.string() })) });
  },
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Find',
    positionals: ['refs…'],
    examples: [
      { command: 'loci evidence FACT-2026-03-09-IT-BROKE-7K2M', what: 'What proves a memory' },
      {
        command: 'loci evidence show SHA256 --out build.log',
        what: 'One of them, as it was given',
      },
    ],
  },
  async run(loci, input, { writeFile }) {
    const { refs, out } = parseInput(evidenceOptions, input, 'evidence');
    const [ref = '', ...rest] = refs[0] === 'show' ? refs.slice(1) : refs;
    if (rest.length > 0 || ref === '') {
      throw new LociError(
        'invalid_input',
        'evidence takes one id, or show and one SHA-256',
        'List the evidence of a memory first: loci evidence ID',
      );
    }
    const listed = await loci.evidence({ ref });
    if (refs[0] !== 'show' && out === undefined) return listed;
    const bytes = await loci.readEvidence(ref);
    if (out === undefined) return { ...listed, ...contentOf(bytes) };
    if (!writeFile) throw new LociError('unsupported', 'out is only for the command line');
    return { ...listed, out: await writeFile(out, bytes) };
  },
};

function contentOf(bytes: Uint8Array): { text: string } | { base64: string } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') };
  }
}
