import { Check } from 'lucide'
import type { RefObject } from 'preact'
import { inputClass } from '../components/controls/field.tsx'
import { KeyHint } from '../components/controls/key-hint.tsx'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { reviewText } from '../text/review.ts'
import { type Answers, toggled } from './answers.ts'
import type { ReviewField } from './fields.ts'
import css from './review-form.module.css'

interface ReviewFormProps {
  readonly fields: readonly ReviewField[]
  readonly answers: Answers
  readonly note: string
  /** Index of the field that keys answer. */
  readonly at: number
  /** Refs of fields that were missing when the item was to be saved. */
  readonly needed: ReadonlySet<string>
  readonly noteField: RefObject<HTMLTextAreaElement | null>
  readonly onAt: (index: number) => void
  readonly onAnswer: (field: ReviewField, value: unknown) => void
  readonly onNote: (note: string) => void
}

/** The questions about an item, and a note. */
export const ReviewForm = ({ fields, answers, note, at, needed, noteField, ...on }: ReviewFormProps) => (
  <div class={css.form}>
    {fields.length === 0 && <p class={css.none}>{reviewText.noQuestions}</p>}
    {fields.map((field, index) => {
      const value = answers[field.ref]
      const isAnswered = value !== undefined && value !== ''
      return (
        <fieldset
          key={field.ref}
          class={classNames(css.field, index === at && css.current)}
          onFocusCapture={() => on.onAt(index)}
        >
          <legend class={css.name}>
            <span dir="auto">{field.name}</span>
            <span class={css.kind}>{field.description || reviewText.fieldKinds[field.of.kind]}</span>
            {isAnswered ? (
              <Icon of={Check} size={14} class={css.tick} />
            ) : (
              needed.has(field.ref) && <span class={css.needed}>{reviewText.needed}</span>
            )}
          </legend>
          <Answer field={field} value={value} onAnswer={(next) => on.onAnswer(field, next)} />
        </fieldset>
      )
    })}
    <label class={css.field}>
      <span class={css.name}>
        {reviewText.note} <span class={css.kind}>{reviewText.optional}</span>
        <KeyHint keys="M" />
      </span>
      <textarea
        ref={noteField}
        class={classNames(inputClass, css.text)}
        rows={2}
        value={note}
        onInput={(event) => on.onNote(event.currentTarget.value)}
      />
    </label>
  </div>
)

interface AnswerProps {
  readonly field: ReviewField
  readonly value: unknown
  readonly onAnswer: (value: unknown) => void
}

function Answer({ field: { name, of }, value, onAnswer }: AnswerProps) {
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
  }
}

const digitsMax = 9
const keyOf = (index: number): string | undefined => (index < digitsMax ? String(index + 1) : undefined)

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
