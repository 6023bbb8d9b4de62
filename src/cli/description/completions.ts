import { Argument, Command, type Option } from 'commander'
import { print } from '../run.ts'

/**
 * Scripts that ask `tracelake complete -- WORD…` for what can follow: a line each with a value, a
 * tab and its description, then `:0` if files can follow too, else `:4`.
 */
const completionScripts = {
  bash: String.raw`_tracelake() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :*) ;;
      *) COMPREPLY+=("${'$'}{line%%$'\t'*}") ;;
    esac
  done < <(tracelake complete -- "${'$'}{COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _tracelake tracelake`,

  zsh: String.raw`#compdef tracelake
_tracelake() {
  local line
  local -a values
  for line in "${'$'}{(@f)$(tracelake complete -- "${'$'}{(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :0) _files ;;
      :*) ;;
      *) values+=("${'$'}{${'$'}{line%%$'\t'*}//:/\\:}:${'$'}{line#*$'\t'}") ;;
    esac
  done
  if (( $#values )); then _describe tracelake values; fi
}
if [[ $funcstack[1] == _tracelake ]]; then _tracelake; else compdef _tracelake tracelake; fi`,

  fish: `function __tracelake_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (tracelake complete -- $words[2..-1] 2>/dev/null)
        switch $line
            case ':0'
                __fish_complete_path (commandline -ct)
            case ':*'
            case '*'
                echo $line
        end
    end
end
complete -c tracelake -f -a '(__tracelake_complete)'`,
} as const

type Shell = keyof typeof completionScripts

/** Whether names of files can follow, as scripts for Cobra's completions say it too. */
const directives = { files: 0, noFiles: 4 } as const

/** `completions`: a script for a shell, which asks the hidden command `complete` for each tab. */
export const completionsCommand = (): Command =>
  new Command('completions')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(completionScripts)))
    .addHelpText('after', examples)
    .action((shell: Shell, _options: unknown, self: Command) => print(self, completionScripts[shell]))

const examples = `
Examples:
  source <(tracelake completions bash)       # in this shell; in ~/.bashrc for every shell
  tracelake completions zsh > "\${fpath[1]}/_tracelake"
  tracelake completions fish > ~/.config/fish/completions/tracelake.fish`

/** `complete`: what can follow the words typed so far. */
export const completeCommand = (program: Command): Command =>
  new Command('complete')
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action((words: string[], _options: unknown, self: Command) => print(self, ...suggestions(program, words)))

/** Lines of a value and its description, then the directive. The last word is being typed. */
function suggestions(program: Command, words: readonly string[]): string[] {
  const typed = words.at(-1) ?? ''
  const place = follow(program, words.slice(0, -1))
  const { values, directive } = valuesAt(place, typed)
  const lines = values
    .filter(({ value }) => value.startsWith(typed))
    .map(({ value, about }) => `${value}\t${about.split('\n')[0]}`)
  return [...lines, `:${directive}`]
}

interface Place {
  readonly command: Command
  /** The option whose value comes next. */
  readonly option: Option | undefined
  /** Arguments before. */
  readonly given: number
}

interface Value {
  readonly value: string
  readonly about: string
}

function follow(program: Command, words: readonly string[]): Place {
  let command = program
  let option: Option | undefined
  let given = 0
  for (const word of words) {
    if (option !== undefined) option = undefined
    else if (word.startsWith('-')) {
      const named = optionsOf(command).find(({ long, short }) => word === long || word === short)
      option = named?.required ? named : undefined
    } else {
      const inner = given === 0 ? command.commands.find((one) => one.name() === word) : undefined
      if (inner === undefined) given++
      else command = inner
    }
  }
  return { command, option, given }
}

function valuesAt({ command, option, given }: Place, typed: string): { values: Value[]; directive: number } {
  const argument =
    command.registeredArguments[given] ?? command.registeredArguments.findLast(({ variadic }) => variadic)
  if (option === undefined && typed.startsWith('-')) {
    const values = optionsOf(command).flatMap(({ long, description }) =>
      long === undefined ? [] : [{ value: long, about: description }],
    )
    return { values, directive: directives.noFiles }
  }
  const inner = option === undefined && given === 0 ? command.createHelp().visibleCommands(command) : []
  const choices = (option ?? argument)?.argChoices ?? []
  const values = [
    ...inner.map((one) => ({ value: one.name(), about: one.description() })),
    ...choices.map((choice) => ({ value: choice, about: '' })),
  ]
  const isFree = option !== undefined || (argument !== undefined && inner.length === 0)
  return { values, directive: isFree && choices.length === 0 ? directives.files : directives.noFiles }
}

/** Options of a command; without a command, those of the default one too. */
function optionsOf(command: Command): Option[] {
  const isProgram = command.parent === null
  const serve = isProgram ? command.commands.find((one) => one.name() === 'serve') : undefined
  return [command, ...(serve === undefined ? [] : [serve])].flatMap((one) => one.createHelp().visibleOptions(one))
}
