import * as fc from 'fast-check';
import type { MemoryInput } from '../../src/domain/inputs.ts';
import type { Deps, Scope } from '../../src/ports/deps.ts';
import type { Engine } from '../../src/ports/engine.ts';
import { changeStatus } from '../../src/remember/change-status.ts';
import { relate } from '../../src/remember/relate.ts';
import { remember } from '../../src/remember/remember.ts';
import { update } from '../../src/remember/update.ts';
import { testClock } from '../../src/testing/clock.ts';
import { noDocuments } from '../../src/testing/documents.ts';
import { noOtherStores } from '../../src/testing/other-stores.ts';
import { testIds } from '../../src/testing/ids.ts';
import { testTokens } from '../../src/testing/tokens.ts';
import { wildText } from '../wild-text.ts';

/** Names a memory: one that was stored (by its number), or something else. */
type Ref = { readonly nth: number; readonly lower?: boolean } | { readonly text: string };

type Input = Omit<MemoryInput, 'id' | 'supersedes' | 'relations'> & {
  readonly id?: Ref;
  readonly supersedes?: Ref;
  readonly relation?: { readonly type: string; readonly target: Ref };
};

type Act =
  | { readonly verb: 'remember'; readonly items: readonly Input[]; readonly batch: boolean }
  | {
      readonly verb: 'update';
      readonly ref: Ref;
      readonly input: Input;
      readonly expect?: number | undefined;
    }
  | {
      readonly verb: 'archived' | 'active' | 'rejected';
      readonly ref: Ref;
      readonly reason?: string;
    }
  | { readonly verb: 'relate'; readonly source: Ref; readonly type: string; readonly target: Ref };

export type Command = Act & { readonly project: string; readonly agent?: string };

const ref: fc.Arbitrary<Ref> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ nth: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ nth: fc.nat(5), lower: fc.constant(true) }) },
  { weight: 1, arbitrary: fc.record({ text: fc.constantFrom('ext-1', 'ext-2', 'FACT-OF-MINE') }) },
  { weight: 1, arbitrary: fc.record({ text: wildText }) },
);

// Few texts and names, so that they meet.
const body = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('The zeppelin sails', 'the yacht sails', 'The zeppelin sails \n'),
  },
  { weight: 2, arbitrary: wildText },
);
const project = fc.constantFrom('global', 'apollo', 'zeus');
const agent = fc.constantFrom('ann', 'bob');
const relationType = fc.oneof(fc.constantFrom('supports', 'supersedes', 'Related'), wildText);
const few = { minLength: 0, maxLength: 2 };

const optional = {
  title: wildText,
  type: fc.constantFrom('fact', 'decision', 'open_question', 'episode'),
  status: fc.constantFrom('active', 'draft', 'archived'),
  tags: fc.array(fc.oneof(fc.constantFrom('a', 'b'), wildText), few),
  paths: fc.array(fc.oneof(fc.constantFrom('src/a.ts', 'docs'), wildText), few),
  confidence: fc.constantFrom(0, 0.5, 1),
  source: fc.oneof(fc.constantFrom('owner', 'document'), wildText),
  sessionId: fc.oneof(fc.constantFrom('s1', 's2'), wildText),
  speaker: wildText,
  turn: fc.nat(3),
  ttlDays: fc.constantFrom(0, 1.5, 30),
  validTo: fc.constantFrom('2026-03-01', '2026-04-01'),
  createdAt: fc.constantFrom('2026-01-05', '2026-03-08T10:00:00Z'),
  externalId: fc.oneof(fc.constantFrom('ext-1', 'ext-2'), wildText),
  entities: fc.array(fc.record({ kind: fc.constant('person'), name: wildText }), few),
  details: fc.dictionary(wildText, fc.oneof(wildText, fc.nat(), fc.boolean()), { maxKeys: 2 }),
  supersedes: ref,
  relation: fc.record({ type: relationType, target: ref }),
};

/** Of many optional fields a few at a time. */
const sparse = <T extends object>(all: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<T> =>
  fc
    .subarray(Object.keys(all), { maxLength: 4 })
    .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, all[key]!])))) as never;

const item: fc.Arbitrary<Input> = fc
  .tuple(body, sparse<Input>({ ...optional, id: ref, project: fc.oneof(project, wildText), agent }))
  .map(([text, rest]) => ({ body: text, ...rest }));

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.oneof(
      fc.record({
        verb: fc.constant('remember' as const),
        items: fc.array(item, { minLength: 1, maxLength: 1 }),
        batch: fc.constant(false),
      }),
      fc.record({
        verb: fc.constant('remember' as const),
        items: fc.array(item, { maxLength: 4 }),
        batch: fc.constant(true),
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        verb: fc.constant('update' as const),
        ref,
        input: sparse<Input>({ ...optional, body }),
        expect: fc.option(fc.constantFrom(1, 2), { nil: undefined, freq: 4 }),
      },
      { requiredKeys: ['verb', 'ref', 'input'] },
    ) as fc.Arbitrary<Act>,
  },
  {
    weight: 3,
    arbitrary: fc.record(
      { verb: fc.constantFrom('archived', 'active', 'rejected'), ref, reason: wildText },
      { requiredKeys: ['verb', 'ref'] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      verb: fc.constant('relate' as const),
      source: ref,
      type: relationType,
      target: ref,
    }),
  },
);

// Mostly from one place, so that most of what is named is seen.
const place = fc.oneof(
  { weight: 6, arbitrary: fc.constant('global') },
  { weight: 3, arbitrary: fc.constant('apollo') },
  { weight: 1, arbitrary: fc.constant('zeus') },
);
const actor = fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, agent);

const command: fc.Arbitrary<Command> = fc.tuple(act, place, actor).map(([what, where, who]) => ({
  ...what,
  project: where,
  ...(who === undefined ? {} : { agent: who }),
}));

const beginning: fc.Arbitrary<Command> = fc
  .array(item, { minLength: 2, maxLength: 4 })
  .map((items) => ({ verb: 'remember', items, batch: true, project: 'global' }));

/** A store's life: something is stored, then anything may happen. */
export const life: fc.Arbitrary<readonly Command[]> = fc
  .tuple(beginning, fc.array(command, { maxLength: 16 }))
  .map(([first, others]) => [first, ...others]);

/** Gives commands to one engine; two of them with the same commands make the same ids. */
export class Performer {
  readonly engine: Engine;
  readonly #clock = testClock();
  readonly #ids = testIds(7);
  readonly #stored: string[] = [];

  constructor(engine: Engine) {
    this.engine = engine;
  }

  /** What a command answers: its result, or code and message of its error. */
  async perform(given: Command): Promise<unknown> {
    this.#clock.advance(1000);
    try {
      return await this.#run(given, this.#deps(given));
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      return { code, message };
    }
  }

  async #run(given: Command, deps: Deps): Promise<unknown> {
    switch (given.verb) {
      case 'remember': {
        const items = given.items.map((input) => this.#input(input));
        const answer = await remember(given.batch ? items : (items[0] as MemoryInput), deps);
        for (const { id } of answer.results) if (id !== '') this.#stored.push(id);
        return answer;
      }
      case 'update': {
        const { project: _project, agent: _agent, ...fields } = this.#input(given.input);
        const expected = given.expect === undefined ? {} : { expectVersion: given.expect };
        return update({ ...fields, ...expected, id: this.#id(given.ref) }, deps);
      }
      case 'relate': {
        const { source, target, type } = given;
        return relate({ source: this.#id(source), target: this.#id(target), type }, deps);
      }
      default: {
        const reason = given.reason === undefined ? {} : { reason: given.reason };
        return changeStatus(given.verb, { id: this.#id(given.ref), ...reason }, deps);
      }
    }
  }

  #input({ id, supersedes, relation, ...rest }: Input): MemoryInput {
    return {
      ...rest,
      ...(id ? { id: this.#id(id) } : {}),
      ...(supersedes ? { supersedes: this.#id(supersedes) } : {}),
      ...(relation
        ? { relations: [{ type: relation.type, target: this.#id(relation.target) }] }
        : {}),
    };
  }

  #id(wanted: Ref): string {
    if ('text' in wanted) return wanted.text;
    const id = this.#stored[wanted.nth % Math.max(1, this.#stored.length)] ?? 'FACT-NOT-THERE';
    return wanted.lower ? id.toLowerCase() : id;
  }

  #deps({ project: name, agent: who }: Command): Deps {
    const scope: Scope = {
      project: name,
      actor: who ?? 'owner',
      source: 'owner',
      ...(who === undefined ? {} : { agent: who }),
    };
    return {
      engine: this.engine,
      clock: this.#clock,
      ids: this.#ids,
      tokens: testTokens,
      documents: noDocuments,
      others: noOtherStores,
      past: () => Promise.reject(new Error('no command asks for the past')),
      scope,
      notices: [],
      version: '0.0.0',
    };
  }
}
