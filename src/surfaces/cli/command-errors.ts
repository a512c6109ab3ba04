import type { Command, CommanderError } from 'commander';
import { LociError } from '../../domain/errors.ts';
import { nearestOf } from '../../domain/parse.ts';

/** What the parser did not understand, with the nearest name that it would have. */
export function commandError(error: CommanderError, command: Command): LociError {
  const message = error.message.replace(/^error: /, '').replaceAll('\0', '');
  if (error.code === 'commander.unknownOption') {
    const given = /'(.+?)(?:=.*)?'/s.exec(message)?.[1] ?? '';
    return unknownOption(given, command);
  }
  return new LociError('invalid_input', message, `See loci help ${command.name()}.`, {
    cause: error,
  });
}

export function noVerb(): LociError {
  return new LociError('invalid_input', 'There is no command', 'See loci help.');
}

export function unknownVerb(given: string, program: Command): LociError {
  const names = program.commands.flatMap((command) => [command.name(), ...command.aliases()]);
  const nearest = nearestOf(given, names);
  return new LociError(
    'invalid_input',
    `There is no command ${given}`,
    nearest ? `Did you mean loci ${nearest}?` : 'See loci help.',
  );
}

function unknownOption(given: string, command: Command): LociError {
  const names = command.options.flatMap(({ short, long }) => [short, long]);
  const known = [...names, '--help'].filter((name) => name !== undefined);
  const nearest = given.startsWith('--') ? nearestOf(given, known) : undefined;
  const hint = nearest
    ? `Did you mean ${nearest}?`
    : `See loci help ${command.name()}; text that begins with a dash goes after --.`;
  return new LociError('invalid_input', `${command.name()} has no option ${given}`, hint);
}
