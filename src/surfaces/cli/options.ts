import { Argument, Option, type Command } from 'commander';
import { snakeCase } from '../../domain/parse.ts';
import { fieldsOf, type Field } from '../../operations/fields.ts';
import type { CommandForm, Operation } from '../../operations/operation.ts';
import { unguarded } from './arguments.ts';

/** What every command takes. */
export interface SharedOptions {
  readonly dir?: string;
  readonly store?: string;
  readonly project?: string;
  readonly agent?: string;
  readonly zone?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export const SHARED_GROUP = 'Shared options:';

export function addSharedOptions(command: Command): Command {
  const shared: readonly (readonly [string, string])[] = [
    ['-d, --dir <dir>', 'the store, as a folder of Markdown files'],
    ['--store <url>', 'the store: a folder, sqlite:FILE or memory:'],
    ['-p, --project <name>', 'project to work in (default: from config or git, else global)'],
    ['-a, --agent <id>', 'agent to work for'],
    ['--zone <name>', 'IANA zone of dates and words such as yesterday (default UTC)'],
    ['--json', 'answer with one JSON document'],
    ['-q, --quiet', 'no notices, no progress'],
  ];
  for (const [flags, description] of shared) {
    const option = new Option(flags, description).helpGroup(SHARED_GROUP);
    if (option.required) option.argParser(unguarded);
    command.addOption(option);
  }
  return command.helpOption('-h, --help', 'show this help');
}

/** Fields that a shared option gives to every command. */
const SHARED_FIELDS = ['project', 'agent', 'zone'];

/** The name of an option: `maxTokens` is `max-tokens`. */
function optionName(field: string, form: CommandForm): string {
  return form.renamed?.[field] ?? snakeCase(field).replaceAll('_', '-');
}

function isNegated(field: string, form: CommandForm): boolean {
  return form.negated?.includes(field) ?? false;
}

/** The fields of a verb that are options of its command. */
function optionFields(operation: Operation, form: CommandForm): Field[] {
  const positionals = form.positionals.map(bareName);
  const taken = new Set([...positionals, ...(form.omitted ?? []), ...SHARED_FIELDS]);
  return fieldsOf(operation).filter(({ name }) => !taken.has(name));
}

export function addVerbOptions(command: Command, operation: Operation, form: CommandForm): void {
  for (const field of optionFields(operation, form)) {
    const name = optionName(field.name, form);
    const flags = field.kind === 'flag' ? `--${name}` : `--${name} <${placeholder(field)}>`;
    const option = isNegated(field.name, form)
      ? new Option(`--no-${name}`, `do not ${helpFor(field).replace(' (default true)', '')}`)
      : new Option(flags, helpFor(field));
    if (field.kind === 'list') option.argParser(collect);
    else if (field.kind !== 'flag') option.argParser(unguarded);
    command.addOption(option);
  }
}

/** `<ids...>`, `[query...]`, `<source> <type> <target>`. */
export function addPositionals(command: Command, operation: Operation, form: CommandForm): void {
  const fields = fieldsOf(operation);
  for (const positional of form.positionals) {
    const name = bareName(positional);
    const field = fields.find((candidate) => candidate.name === name);
    const rest = positional.endsWith('…') ? '...' : '';
    const written = field?.required ? `<${name}${rest}>` : `[${name}${rest}]`;
    command.addArgument(new Argument(written, field?.description));
  }
}

/** The verb's input from what the command line gave. */
export function verbInput(
  operation: Operation,
  form: CommandForm,
  positional: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const fields = fieldsOf(operation);
  const given = new Map<string, unknown>();
  form.positionals.forEach((written, i) => {
    const name = bareName(written);
    const isList = fields.find((field) => field.name === name)?.kind === 'list';
    given.set(name, positionalValue(positional[i], isList));
  });
  for (const { name } of optionFields(operation, form)) {
    const value = options[attribute(optionName(name, form))];
    // Without its `--no-…`, a negated flag was not given at all.
    if (!isNegated(name, form) || value === false) given.set(name, value);
  }
  return Object.fromEntries([...given].filter(([, value]) => value !== undefined));
}

function positionalValue(value: unknown, isList: boolean): unknown {
  if (!Array.isArray(value)) return typeof value === 'string' ? unguarded(value) : value;
  if (value.length === 0) return undefined;
  const words = value.map((word: string) => unguarded(word));
  return isList ? words : words.join(' ');
}

function bareName(positional: string): string {
  return positional.replace(/…$/, '');
}

/** Commander's name for an option's value. */
function attribute(name: string): string {
  return new Option(`--${name}`).attributeName();
}

function placeholder({ kind, name, choices }: Field): string {
  if (choices) return 'word';
  if (kind === 'number') return 'n';
  if (kind === 'time') return 'time';
  if (name === 'evidence') return 'file';
  if (kind === 'list') return 'a,b';
  return ['id', 'supersedes', 'whyNot'].includes(name) ? 'id' : 'text';
}

function helpFor({ description, choices }: Field): string {
  const text = description.slice(0, 1).toLowerCase() + description.slice(1);
  return choices ? `${text}; one of ${choices.join(', ')}` : text;
}

/** Lists may be given with commas, by repeating the option, or both. */
function collect(value: string, before: string[] | string | undefined): string[] | string {
  const text = unguarded(value);
  if (before === undefined) return text;
  return [before, text]
    .flat()
    .flatMap((words) => words.split(','))
    .filter((w) => w.trim() !== '');
}
