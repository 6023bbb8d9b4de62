import { useMemo } from 'preact/hooks'
import { Checkbox } from '../components/controls/checkbox.tsx'
import { Field } from '../components/controls/field.tsx'
import { Select } from '../components/controls/select.tsx'
import { TextArea } from '../components/controls/text-area.tsx'
import { isRef } from '../format/ids.ts'
import { PromptText } from '../prompt/prompt-text.tsx'
import { VariableNames } from '../prompt/use-completion.tsx'
import { settingsPath } from '../state/paths.ts'
import { isAdmin } from '../state/session.ts'
import { evaluationStartText } from '../text/evaluation/evaluation-start.ts'
import { scorerText } from '../text/evaluation/scorer.ts'
import { type AnswerKind, ofKind } from './answer.ts'
import type { ScorerFault, ScorerPart } from './faults.ts'
import type { Judge } from './scorer.ts'
import css from './scorer-editor.module.css'

const suggested = ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'claude-sonnet-4-5', 'gemini-2.5-flash']

const answerKinds: readonly AnswerKind[] = ['boolean', 'labels', 'number', 'any']

interface JudgeFieldsProps {
  /** Name of the scorer. */
  readonly name: string
  readonly judge: Judge
  readonly before: Judge | undefined
  readonly faults: readonly ScorerFault[]
  /** Columns of the row that is previewed. */
  readonly columns: readonly string[]
  readonly isReadOnly: boolean
  readonly onChange: (judge: Judge) => void
}

/** The model of a judge, its instructions, and the answers it may give. */
export function JudgeFields({ name, judge, before, faults, columns, isReadOnly, onChange }: JudgeFieldsProps) {
  const { model, prompt, format, temperature, answer } = judge
  const change = (changes: Partial<Judge>) => onChange({ ...judge, ...changes })
  const answers = (changes: Partial<typeof answer>) => change({ answer: { ...answer, ...changes } })
  const faultOf = (part: ScorerPart) => faults.find((each) => each.part === part)
  const names = useMemo(() => ['output', 'inputs', ...columns], [columns.join('\n')])
  const known = useMemo(() => new Set(names), [names])
  const isObject = isRef(model)
  const modelFault = faultOf('model')
  return (
    <>
      <div class={css.pair} data-part="model">
        <Field
          label={scorerText.model}
          list="judge-models"
          placeholder={scorerText.modelHint}
          value={model}
          readOnly={isReadOnly}
          hint={
            isObject ? (
              scorerText.modelByRef
            ) : modelFault?.level === 'warning' ? (
              <span class={css.warning}>
                {modelFault.text}{' '}
                {isAdmin.value && <a href={settingsPath('secrets')}>{evaluationStartText.addSecret}</a>}
              </span>
            ) : undefined
          }
          error={modelFault?.level === 'fault' ? `${modelFault.text}.` : undefined}
          onInput={(event) => change({ model: event.currentTarget.value })}
        />
        {!isObject && (
          <Field
            label={scorerText.temperature}
            inputmode="decimal"
            placeholder={scorerText.unset}
            value={temperature}
            readOnly={isReadOnly}
            error={faultOf('temperature')?.text}
            onInput={(event) => change({ temperature: event.currentTarget.value })}
          />
        )}
        <datalist id="judge-models">
          {suggested.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      </div>
      <section data-part="prompt">
        <h2 class={css.label}>{scorerText.prompt}</h2>
        <div class={faults.some(({ part, level }) => part === 'prompt' && level === 'fault') ? css.faulty : css.card}>
          <VariableNames.Provider value={names}>
            <PromptText
              label={scorerText.promptOf}
              text={prompt}
              before={before?.prompt}
              format={format}
              isReadOnly={isReadOnly}
              known={known}
              onType={(next) => change({ prompt: next })}
            />
          </VariableNames.Provider>
        </div>
        <p class={css.hint}>{scorerText.promptNote(format)}</p>
        {faults
          .filter(({ part }) => part === 'prompt')
          .map(({ text, level }) => (
            <p key={text} class={level === 'fault' ? css.error : css.warning} role="alert">
              {text}.
            </p>
          ))}
      </section>
      {!isObject && (
        <section class={css.answers} data-part="answer">
          <div class={css.pair}>
            <Select
              label={scorerText.answers}
              value={answer.kind}
              options={answerKinds.map((id) => ({ id, label: scorerText.answerKinds[id] }))}
              hint={scorerText.answerNote[answer.kind]}
              onChange={(kind) => !isReadOnly && change({ answer: ofKind(answer, kind) })}
            />
            {answer.kind !== 'any' && (
              <Field
                label={scorerText.answerName}
                mono
                value={answer.name}
                readOnly={isReadOnly}
                hint={scorerText.answerNameHint(name, answer.name)}
                error={faultOf('answer') && `${faultOf('answer')?.text}.`}
                onInput={(event) => answers({ name: event.currentTarget.value })}
              />
            )}
          </div>
          {answer.kind === 'labels' && (
            <div data-part="labels">
              <TextArea
                label={scorerText.labels}
                rows={3}
                value={answer.labels}
                readOnly={isReadOnly}
                error={faultOf('labels') && `${faultOf('labels')?.text}.`}
                onInput={(event) => answers({ labels: event.currentTarget.value })}
              />
            </div>
          )}
          {answer.kind === 'number' && (
            <div class={css.pair} data-part="range">
              <Field
                label={scorerText.low}
                inputmode="numeric"
                value={answer.low}
                readOnly={isReadOnly}
                error={faultOf('range') && `${faultOf('range')?.text}.`}
                onInput={(event) => answers({ low: event.currentTarget.value })}
              />
              <Field
                label={scorerText.high}
                inputmode="numeric"
                value={answer.high}
                readOnly={isReadOnly}
                onInput={(event) => answers({ high: event.currentTarget.value })}
              />
            </div>
          )}
          {answer.kind !== 'any' && (
            <Checkbox checked={answer.hasReason} disabled={isReadOnly} onChange={(hasReason) => answers({ hasReason })}>
              {scorerText.reason}
            </Checkbox>
          )}
        </section>
      )}
    </>
  )
}
