import { useState } from 'preact/hooks'
import { EvaluateFromCode } from '../evaluation/evaluate-from-code.ts'
import { evaluationCodeText } from '../text/evaluation/evaluation-code.ts'
import { evaluationStartText as words } from '../text/evaluation/evaluation-start.ts'
import { refOf } from '../versions/objects.ts'
import css from './start-dialog.module.css'
import type { Choices } from './use-choices.ts'

/** The way for models that the server cannot call. */
export function FromCode({ projectId, choices }: { readonly projectId: string; readonly choices: Choices }) {
  const { dataset, name, used, trials = 1 } = choices
  const [isShown, setShown] = useState(false)
  if (dataset === undefined) return null
  const scorers = used.map(({ version }) => version.object_id)
  return (
    <p class={css.note}>
      {words.elsewhere}{' '}
      <button type="button" class={css.link} onClick={() => setShown(true)}>
        {evaluationCodeText.open}
      </button>
      {isShown && (
        <EvaluateFromCode
          projectId={projectId}
          of={{ evaluation: name, dataset: refOf(projectId, dataset), scorers, trials }}
          onClose={() => setShown(false)}
        />
      )}
    </p>
  )
}
