import { Undo2 } from 'lucide'
import { useMemo } from 'preact/hooks'
import { Button } from '../../components/controls/button.tsx'
import { inputClass } from '../../components/controls/field.tsx'
import { classNames } from '../../components/display/class-names.ts'
import { ErrorState } from '../../components/states/error-state.tsx'
import { inlineDiff } from '../../diff/inline-diff.ts'
import { usePayload } from '../../json/use-payload.ts'
import { reviewFormText } from '../../text/review-form.ts'
import formCss from '../review-form.module.css'
import css from './answers.module.css'
import { type Correction, isWhole } from './correction.ts'
import { editedOutput } from './edited-output.ts'

interface CorrectionAnswerProps {
  readonly projectId: string
  readonly callId: string
  readonly name: string
  readonly correction: Correction | undefined
  readonly onChange: (correction: Correction | undefined) => void
}

/** The output of a call to be corrected, and what was changed in it. */
export default function CorrectionAnswer({ projectId, callId, name, correction, onChange }: CorrectionAnswerProps) {
  const output = usePayload(projectId, callId, 'output')
  const was = useMemo(
    () => (output.isWhole && output.text ? editedOutput(output.text) : { text: '', isJson: false }),
    [output.text, output.isWhole],
  )
  if (output.error !== undefined) return <ErrorState error={output.error} retry={output.retry} />
  if (output.text !== undefined && !output.isWhole)
    return (
      <Button size="compact" busy={output.isReading} onClick={output.loadAll}>
        {reviewFormText.readOutput}
      </Button>
    )
  const shown = correction ?? was
  const pieces = correction && inlineDiff(was.text, correction.text)
  return (
    <>
      <textarea
        class={classNames(inputClass, formCss.text, css.editor, shown.isJson && css.code)}
        data-kind="correction"
        dir="auto"
        aria-label={name}
        aria-invalid={isWhole(correction) ? undefined : true}
        disabled={output.text === undefined}
        value={shown.text}
        onInput={({ currentTarget: { value } }) =>
          onChange(value === was.text ? undefined : { text: value, isJson: shown.isJson })
        }
      />
      {!isWhole(correction) && (
        <p class={css.error} role="alert">
          {reviewFormText.badJson}
        </p>
      )}
      {correction !== undefined && (
        <>
          {pieces === undefined ? (
            <p class={css.hint}>{reviewFormText.rewritten}</p>
          ) : (
            <p class={css.diff} role="group" aria-label={reviewFormText.difference}>
              {pieces.map(({ text, kind }, index) =>
                kind === 'added' ? (
                  <ins key={index}>{text}</ins>
                ) : kind === 'removed' ? (
                  <del key={index}>{text}</del>
                ) : (
                  text
                ),
              )}
            </p>
          )}
          <div>
            <Button size="compact" kind="quiet" icon={Undo2} onClick={() => onChange(undefined)}>
              {reviewFormText.asItWas}
            </Button>
          </div>
        </>
      )}
    </>
  )
}
