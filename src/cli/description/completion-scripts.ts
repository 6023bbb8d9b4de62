/**
 * Scripts that ask `tracelake complete -- WORD…` for what can follow: a line each with a value, a
 * tab and its description, then `:0` if files can follow too, else `:4`.
 */
export const completionScripts = {
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

  fish: String.raw`function __tracelake_complete
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

export type Shell = keyof typeof completionScripts
