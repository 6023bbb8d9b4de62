import { Command } from 'commander'
import { print } from '../run.ts'

/** `man`: the manual page, for packages and for `tracelake man | man -l -`. */
export const manCommand = (program: Command, version: string): Command =>
  new Command('man')
    .description('print the manual page of all commands (tracelake man | man -l -)')
    .action((_options: unknown, self: Command) => print(self, ...manPage(program, version)))

/** The commands of a program in the macros of man(7). */
function manPage(program: Command, version: string): string[] {
  const help = program.createHelp()
  return [
    `.TH TRACELAKE 1 "" "tracelake ${version}" "User Commands"`,
    '.SH NAME',
    `tracelake \\- ${escaped(program.description().replace(/:.*/s, ''))}`,
    '.SH SYNOPSIS',
    '.B tracelake',
    escaped('[command] [options]'),
    '.SH DESCRIPTION',
    ...text(program.description()),
    '.PP',
    ...text('Without a command, it starts the server. Each command explains itself with --help.'),
    '.SH COMMANDS',
    ...help
      .visibleCommands(program)
      .filter((command) => command.name() !== 'help')
      .flatMap((command) => section(command, 'tracelake')),
    '.SH EXIT STATUS',
    ...item('0', 'The command succeeded.'),
    ...item('1', 'The command failed.'),
    ...item('2', 'The command line or a setting is wrong.'),
    '.SH ENVIRONMENT',
    ...text(
      'Every setting of the server has a variable, which the options name in parentheses. ' +
        'Options override variables, which override the file given with --config.',
    ),
  ]
}

function section(command: Command, path: string): string[] {
  const help = command.createHelp()
  const name = `${path} ${command.name()}`
  const inner = help.visibleCommands(command).filter((one) => one.name() !== 'help')
  const body =
    inner.length > 0
      ? text(command.description())
      : [
          ...text(command.description()),
          ...help
            .visibleArguments(command)
            .flatMap((one) => item(help.argumentTerm(one), help.argumentDescription(one))),
          ...help.visibleOptions(command).flatMap((one) => item(help.optionTerm(one), help.optionDescription(one))),
        ]
  return [
    `.SS ${escaped([name, command.usage().replace('[options]', '').trim()].join(' ').trim())}`,
    ...body,
    ...notesOf(command),
    ...inner.flatMap((one) => section(one, name)),
  ]
}

/** The part of a command's help after the list of options. */
function notesOf(command: Command): string[] {
  const written: string[] = []
  // Commander's commands are event emitters, which its types do not say.
  if (!('emit' in command && typeof command.emit === 'function')) throw new TypeError('A command emits no events')
  command.emit('afterHelp', { error: false, command, write: (piece: string) => written.push(piece) })
  const lines = written.join('').trim()
  return lines === '' ? [] : ['.PP', '.nf', ...text(lines), '.fi']
}

const item = (term: string, about: string): string[] => ['.TP', `.B ${escaped(term)}`, ...text(about)]

const text = (paragraphs: string): string[] => paragraphs.split('\n').map(escaped)

/** Escapes hyphens, and the characters that would make a line a troff request. */
const escaped = (line: string): string =>
  line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&')
