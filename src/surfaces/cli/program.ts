import { Command, Option } from 'commander';
import { OPERATIONS } from '../../operations/index.ts';
import type { CommandForm, Operation } from '../../operations/operation.ts';
import { unguarded } from './arguments.ts';
import { commandError, noVerb, unknownVerb } from './command-errors.ts';
import { SET_UP, type SetUp } from './commands/set-up.ts';
import type { Invocation } from './invocation.ts';
import { addPositionals, addSharedOptions, addVerbOptions, type SharedOptions } from './options.ts';
import { runVerb } from './run-verb.ts';
import type { Shell } from './shell.ts';
import { version } from '../../config.ts';

/** Called with what the chosen command came to. */
export type OnDone = (exitCode: number) => void;

const SET_UP_GROUP = 'Set up:';

const EXAMPLES = [
  'loci init',
  'loci remember "We deploy on Tuesdays" --type decision',
  'loci recall "when do we deploy?"',
  'loci mcp',
];

/**
 * The whole command line; each command is built from its verb's definition.
 * @param argv only commands that it names are given their options: no other can run. Absent = all
 */
export function buildProgram(shell: Shell, onDone: OnDone, argv?: readonly string[]): Command {
  const program = new Command('loci')
    .description('Persistent memory for AI agents.')
    .usage('<command> [options]')
    .version(version(), '-V, --version', 'show the version')
    .configureHelp({ subcommandTerm })
    .enablePositionalOptions()
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: (text) => shell.out.write(text),
      writeErr: () => {}, // errors are reported by report-error.ts
      outputError: () => {},
      getOutHelpWidth: () => shell.out.width,
      getErrHelpWidth: () => shell.out.width,
    })
    .addHelpText('after', `\nExamples:\n${EXAMPLES.map((line) => `  ${line}`).join('\n')}\n`)
    .addHelpText('after', 'loci help COMMAND shows the options of one.');
  // Settings are inherited by the commands made after them.
  strict(addSharedOptions(program), program);
  for (const operation of OPERATIONS) {
    if (!operation.cli) continue;
    const command = addVerb(program, operation, operation.cli, shell, onDone);
    if (!argv || namesOf(command).some((name) => argv.includes(name))) {
      addOptions(command, operation, operation.cli);
    }
  }
  for (const setUp of SET_UP) addSetUp(program, setUp, shell, onDone);
  addSharedOptions(
    strict(program.command('help [command]'), program)
      .description('Shows the options of a command')
      .helpGroup(SET_UP_GROUP),
  ).action((name?: string) => {
    const command = name === undefined ? program : findCommand(program, name);
    if (!command) throw unknownVerb(name ?? '', program);
    command.outputHelp();
    onDone(0);
  });
  return program;
}

function addVerb(
  program: Command,
  operation: Operation,
  form: CommandForm,
  shell: Shell,
  onDone: OnDone,
): Command {
  const command = strict(new Command(operation.name).copyInheritedSettings(program), program)
    .helpGroup(`${form.group}:`)
    .summary(form.summary ?? firstSentence(operation.description))
    .description(operation.description)
    .addHelpText('after', () => examples(form.examples.map((example) => example.command)));
  if (form.alias) command.alias(form.alias);
  addPositionals(command, operation, form);
  command.action(async (...given: unknown[]) => {
    const positional = given.slice(0, form.positionals.length);
    const invocation = invocationOf(program, command, shell);
    onDone(await runVerb(operation, form, positional, command.opts(), invocation));
  });
  program.addCommand(command);
  return command;
}

function addOptions(command: Command, operation: Operation, form: CommandForm): void {
  addVerbOptions(command, operation, form);
  if (form.positionals.includes('body')) {
    command.addOption(
      new Option('--file <file>', 'take the body from a file (- for stdin)').argParser(unguarded),
    );
  }
  if (operation.name === 'remember') {
    command.addOption(
      new Option(
        '--batch <file>',
        'one memory a line as JSON, keys in snake_case (- for stdin); other options fill in',
      ).argParser(unguarded),
    );
  }
  addSharedOptions(command);
}

function addSetUp(
  program: Command,
  { signature, description, options, examples: lines, run }: SetUp,
  shell: Shell,
  onDone: OnDone,
): void {
  const command = strict(program.command(signature), program)
    .description(description)
    .helpGroup(SET_UP_GROUP)
    .addHelpText('after', examples(lines));
  for (const [flags, text] of options ?? []) {
    const option = new Option(flags, text);
    command.addOption(option.required ? option.argParser(unguarded) : option);
  }
  addSharedOptions(command).action(async () => {
    const invocation = invocationOf(program, command, shell);
    onDone(await run(command.args.map(unguarded), command.opts(), invocation));
  });
}

/** Makes the parser throw what surfaces print, instead of ending the process. */
function strict(command: Command, program: Command): Command {
  return command.exitOverride((error) => {
    if (error.code === 'commander.help') throw noVerb();
    if (error.code === 'commander.unknownCommand') {
      throw unknownVerb(program.args[0] ?? '', program);
    }
    throw error.exitCode === 0 ? error : commandError(error, command);
  });
}

function invocationOf(program: Command, command: Command, shell: Shell): Invocation {
  const shared = { ...program.opts(), ...command.opts() } as SharedOptions;
  return { shell, shared, said: new Set() };
}

function findCommand(program: Command, name: string): Command | undefined {
  return program.commands.find((command) => namesOf(command).includes(name));
}

function namesOf(command: Command): string[] {
  return [command.name(), ...command.aliases()];
}

function firstSentence(description: string): string {
  return description.split(/(?<=[.:;]) /, 1)[0]?.replace(/[.:;]$/, '') ?? description;
}

/** `recall [query...]`: every command has options, so that is not worth a word. */
function subcommandTerm(command: Command): string {
  const names = namesOf(command).join('|');
  const positionals = command.registeredArguments.map((argument) => {
    const name = argument.name() + (argument.variadic ? '...' : '');
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [names, ...positionals].join(' ');
}

function examples(commands: readonly string[]): string {
  return `\nExamples:\n${commands.map((line) => `  ${line}`).join('\n')}`;
}
