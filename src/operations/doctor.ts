import * as z from 'zod';
import type { DoctorOptions } from '../domain/inputs.ts';
import { doctorOptions } from '../domain/options.ts';
import type { DoctorResult } from '../domain/results.ts';
import type { Operation } from './operation.ts';
import { diagnosis } from './outputs.ts';

export const doctor: Operation = {
  name: 'doctor',
  title: 'Doctor',
  description:
    'Examines a store: database, tables, log, files, index, links, conflicts, embedders, settings; each finding with what mends it.',
  audience: 'cli',
  input: doctorOptions,
  get output() {
    return z.looseObject({
      findings: z.array(diagnosis),
      fixed: z.array(z.looseObject({ check: z.string(), message: z.string() })),
      examined: z.array(z.looseObject({ check: z.string(), ok: z.boolean(), message: z.string() })),
    });
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Look after',
    summary: 'Examines a store and says what mends what it finds',
    positionals: [],
    examples: [
      { command: 'loci doctor', what: 'Exit code 1 when there is something' },
      { command: 'loci doctor --fix', what: 'Build a damaged index again, embed what is pending' },
    ],
  },
  run: (loci, input, { progress }) => loci.doctor(input as DoctorOptions, progress),
  unopened({ message, hint }): DoctorResult {
    return {
      findings: [
        {
          check: 'store',
          severity: 'error',
          confidence: 1,
          ids: [],
          message,
          ...(hint === undefined ? {} : { fix: hint }),
        },
      ],
      fixed: [],
      examined: [{ check: 'store', ok: false, message: 'it cannot be opened' }],
    };
  },
};
