import type { Command } from 'commander';
import { OPERATIONS } from '../../operations/index.ts';
import type { Operation } from '../../operations/operation.ts';
import { SHARED_GROUP } from './options.ts';
import { buildProgram } from './program.ts';
import type { Shell } from './shell.ts';
import { styleFor } from './terminal/style.ts';

const WIDTH = 100;

/** The commands as Markdown: what docs/cli.md holds between its markers. */
export function commandReference(): string {
  const program = buildProgram(silentShell(), () => {});
  return program.commands.map((command) => section(command, verbOf(command))).join('\n');
}

function section(command: Command, operation: Operation | undefined): string {
  const examples = operation?.cli?.examples.map(({ command: line, what }) => [line, what]) ?? [];
  const width = Math.max(0, ...examples.map(([line = '']) => line.length));
  return [
    `### loci ${command.name()}`,
    '',
    command.description(),
    '',
    '```text',
    helpText(command),
    '```',
    '',
    ...(examples.length > 0
      ? [
          '```sh',
          ...examples.map(([line = '', what]) => `${line.padEnd(width)}  # ${what}`),
          '```',
          '',
        ]
      : []),
  ].join('\n');
}

/** The help of a command without what the page says elsewhere. */
function helpText(command: Command): string {
  const help = command.createHelp();
  const visibleOptions = help.visibleOptions.bind(help);
  help.helpWidth = WIDTH;
  help.commandDescription = () => '';
  help.visibleOptions = (shown) =>
    visibleOptions(shown).filter(
      ({ helpGroupHeading, long }) => helpGroupHeading !== SHARED_GROUP && long !== '--help',
    );
  return help.formatHelp(command, help).trimEnd();
}

function verbOf(command: Command): Operation | undefined {
  return OPERATIONS.find(({ name, cli }) => cli && name === command.name());
}

function silentShell(): Shell {
  const channel = {
    write() {},

    isTerminal: false,
    style: styleFor(false),
    width: WIDTH,
  };
  return {
    env: {},
    cwd: '/',
    out: channel,
    err: channel,
    nowMs: () => 0,
    readInput: () => Promise.resolve(''),
  };
}
