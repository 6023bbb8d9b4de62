import { Plus, X } from 'lucide'
import { Button, IconButton } from '../components/controls/button.tsx'
import { Field } from '../components/controls/field.tsx'
import { Select } from '../components/controls/select.tsx'
import { settingsPath } from '../state/paths.ts'
import { isAdmin } from '../state/session.ts'
import { evaluationStartText as words } from '../text/evaluation/evaluation-start.ts'
import css from './start-dialog.module.css'
import type { Choices } from './use-choices.ts'

const candidatesMax = 12
const suggested = ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'claude-sonnet-4-5', 'gemini-2.5-flash']

/** The lines of prompts with models; a run is started for each. */
export function CandidateLines({ choices }: { readonly choices: Choices }) {
  const { candidates, setCandidates, changeCandidate, addCandidate, isTwice, promptOptions, missingColumns, parts } =
    choices
  const settingsLink = isAdmin.value ? (
    <>
      <a href={settingsPath('secrets')}>{words.addSecret}</a> {words.orRemove}
    </>
  ) : (
    words.askAdmin
  )
  const models = [...new Set([...parts.earlier.flatMap(({ llm }) => llm ?? []), ...suggested])]
  return (
    <>
      {candidates.map((candidate, at) => {
        const missing = missingColumns.get(candidate.prompt)
        const problem = parts.problems.get(candidate.model.trim())
        return (
          <div key={candidate.key}>
            <div class={css.candidate}>
              <Select
                label={words.promptAt(at + 1)}
                hideLabel
                value={candidate.prompt}
                onOpen={parts.readAgain}
                options={promptOptions}
                onChange={(prompt) => changeCandidate(candidate.key, { prompt })}
              />
              <Field
                label={words.modelAt(at + 1)}
                hideLabel
                list="evaluation-models"
                placeholder={words.modelName}
                value={candidate.model}
                error={problem !== undefined ? `${problem}.` : isTwice(candidate, at) ? words.twice : undefined}
                onInput={(event) => changeCandidate(candidate.key, { model: event.currentTarget.value })}
              />
              <IconButton
                of={X}
                label={words.removeAt(at + 1)}
                disabled={candidates.length === 1}
                onClick={() => setCandidates(candidates.filter(({ key }) => key !== candidate.key))}
              />
              {missing !== undefined && <p class={css.missing}>{words.missingColumns(missing)}</p>}
              {problem !== undefined && <p class={css.way}>{settingsLink}</p>}
            </div>
          </div>
        )
      })}
      <datalist id="evaluation-models">
        {models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
      <div>
        <Button
          kind="quiet"
          size="compact"
          icon={Plus}
          disabled={candidates.length === 0 || candidates.length >= candidatesMax}
          onClick={addCandidate}
        >
          {words.addCandidate}
        </Button>
      </div>
    </>
  )
}
