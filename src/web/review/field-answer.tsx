import { inputClass } from '../components/controls/field.tsx'
import { classNames } from '../components/display/class-names.ts'
import { lazyPart } from '../components/states/lazy-part.tsx'
import { reviewText } from '../text/review.ts'
import { reviewFormText } from '../text/review-form.ts'
import { correctionIn, toggled } from './answers.ts'
import type { ReviewField } from './fields.ts'
import { tie } from './kinds/preference.ts'
import { type Passage, spansOf } from './kinds/spans.ts'
import css from './review-form.module.css'

const SpanAnswer = lazyPart(() => import('./kinds/span-answer.tsx'))
const CorrectionAnswer = lazyPart(() => import('./kinds/correction-answer.tsx'))

/** What answers are about. */
export interface JudgedItem {
  readonly projectId: string
  readonly callId: string
  /** The two calls of an item that compares them, in the order in which they are shown. */
  readonly pair: readonly [string, string] | undefined
  /** The passage that is selected. */
  readonly passage: Passage | undefined
  readonly onMark: (field: ReviewField, label: string) => void
}

interface FieldAnswerProps {
  readonly field: ReviewField
  readonly value: unknown
  readonly judged: JudgedItem
  readonly onAnswer: (value: unknown) => void
}

/** Where a question is answered. */
export function FieldAnswer({ field, value, judged, onAnswer }: FieldAnswerProps) {
  const { name, of } = field
  switch (of.kind) {
    case 'boolean':
      return (
        <Options
          options={[
            { key: 'Y', label: reviewText.yes, isChosen: value === true, choose: () => onAnswer(true) },
            { key: 'N', label: reviewText.no, isChosen: value === false, choose: () => onAnswer(false) },
          ]}
        />
      )
    case 'choice':
      return (
        <Options
          options={of.options.map((option, index) => ({
            key: keyOf(index),
            label: option,
            isChosen: value === option,
            choose: () => onAnswer(option),
          }))}
        />
      )
    case 'several':
      return (
        <Options
          options={of.options.map((option, index) => ({
            key: keyOf(index),
            label: option,
            isChosen: Array.isArray(value) && value.includes(option),
            choose: () => onAnswer(toggled(of.options, value, option)),
          }))}
        />
      )
    case 'scale':
      return (
        <Options
          options={Array.from({ length: of.high - of.low + 1 }, (_, index) => ({
            key: undefined,
            label: String(of.low + index),
            isChosen: value === of.low + index,
            choose: () => onAnswer(of.low + index),
          }))}
        />
      )
    case 'number':
      return (
        <input
          class={inputClass}
          type="number"
          step="any"
          aria-label={name}
          value={typeof value === 'number' ? value : ''}
          onInput={({ currentTarget }) =>
            onAnswer(Number.isNaN(currentTarget.valueAsNumber) ? undefined : currentTarget.valueAsNumber)
          }
        />
      )
    case 'text':
      return (
        <textarea
          class={classNames(inputClass, css.text)}
          rows={3}
          dir="auto"
          aria-label={name}
          value={typeof value === 'string' ? value : ''}
          onInput={(event) => onAnswer(event.currentTarget.value)}
        />
      )
    case 'correction':
      return (
        <CorrectionAnswer
          key={judged.callId}
          projectId={judged.projectId}
          callId={judged.callId}
          name={name}
          correction={correctionIn({ value }, 'value')}
          onChange={onAnswer}
        />
      )
    case 'spans':
      return (
        <SpanAnswer
          labels={of.options}
          spans={spansOf(value)}
          passage={judged.passage}
          onMark={(label) => judged.onMark(field, label)}
          onChange={onAnswer}
        />
      )
    case 'preference':
      return (
        <Options
          options={[...(judged.pair ?? []), tie].map((each, index) => ({
            key: preferenceKeys[index],
            label: reviewFormText.prefer[index] ?? reviewFormText.tie,
            isChosen: value === each,
            choose: () => onAnswer(each),
          }))}
        />
      )
  }
}

const digitsMax = 9
const keyOf = (index: number): string | undefined => (index < digitsMax ? String(index + 1) : undefined)
const preferenceKeys = ['A', 'B', 'T']

interface Option {
  readonly key: string | undefined
  readonly label: string
  readonly isChosen: boolean
  readonly choose: () => void
}

const Options = ({ options }: { options: readonly Option[] }) => (
  <div class={css.options}>
    {options.map(({ key, label, isChosen, choose }) => (
      <button key={label} type="button" class={css.option} aria-pressed={isChosen} onClick={choose}>
        {key && (
          <span class={css.key} aria-hidden="true">
            {key}
          </span>
        )}
        <span dir="auto">{label}</span>
      </button>
    ))}
  </div>
)
