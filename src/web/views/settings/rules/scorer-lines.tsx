import { Plus, X } from 'lucide'
import { Button, IconButton } from '../../../components/controls/button.tsx'
import { Select } from '../../../components/controls/select.tsx'
import { newScorerPath, scorerPath } from '../../../state/judging-paths.ts'
import { scorerText } from '../../../text/evaluation/scorer.ts'
import { rulesText } from '../../../text/settings/rules.ts'
import type { ScorerChoice } from './rule-words.ts'
import css from './rules.module.css'
import type { KnownScorer } from './use-scorers.ts'

interface ScorerLinesProps {
  readonly projectId: string
  readonly known: readonly KnownScorer[]
  readonly chosen: readonly ScorerChoice[]
  readonly onChange: (chosen: ScorerChoice[]) => void
}

/** Scorers with their versions, one a line. */
export function ScorerLines({ projectId, known, chosen, onChange }: ScorerLinesProps) {
  const free = known.filter(({ name }) => chosen.every((each) => each.name !== name))
  const change = (at: number, choice: ScorerChoice) =>
    onChange(chosen.map((each, index) => (index === at ? choice : each)))
  const making = <a href={newScorerPath(projectId)}>{scorerText.make}</a>
  if (known.length === 0 && chosen.length === 0) {
    return (
      <p>
        {rulesText.noScorers} {making}
      </p>
    )
  }
  return (
    <div class={css.group}>
      {chosen.map((choice, at) => {
        const others = free.map(({ name }) => ({ id: name, label: name }))
        const versions = versionsOf(known, choice)
        return (
          <div key={choice.name} class={css.line}>
            <Select
              label={rulesText.scorer}
              hideLabel={at > 0}
              options={[{ id: choice.name, label: choice.name }, ...others]}
              value={choice.name}
              onChange={(name) => change(at, { name, version: 'latest' })}
            />
            <Select
              label={rulesText.version}
              hideLabel={at > 0}
              options={versions}
              value={choice.version}
              onChange={(version) => change(at, { name: choice.name, version })}
            />
            <a class={css.open} href={scorerPath(projectId, choice.name)}>
              {scorerText.keys.open}
              <span class="sr-only"> {choice.name}</span>
            </a>
            {chosen.length > 1 && (
              <IconButton
                of={X}
                label={rulesText.removeScorer(choice.name)}
                onClick={() => onChange(chosen.filter((_, index) => index !== at))}
              />
            )}
          </div>
        )
      })}
      <div class={css.more}>
        {free[0] && (
          <Button
            size="compact"
            icon={Plus}
            onClick={() => onChange([...chosen, { name: free[0]?.name ?? '', version: 'latest' }])}
          >
            {rulesText.addScorer}
          </Button>
        )}
        {making}
      </div>
    </div>
  )
}

/** The latest version and each of them; also the chosen one, if it is deleted. */
function versionsOf(known: readonly KnownScorer[], { name, version }: ScorerChoice) {
  const versions = known.find((scorer) => scorer.name === name)?.versions ?? []
  const options = [
    { id: 'latest', label: rulesText.latestOption(versions[0]?.index ?? 0) },
    ...versions.map(({ digest, index }) => ({ id: digest, label: `v${index}` })),
  ]
  return options.some(({ id }) => id === version) ? options : [...options, { id: version, label: version.slice(0, 8) }]
}
