import { Check } from 'lucide'
import type { RefObject } from 'preact'
import { inputClass } from '../components/controls/field.tsx'
import { KeyHint } from '../components/controls/key-hint.tsx'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { reviewText } from '../text/review.ts'
import { reviewFormText } from '../text/review-form.ts'
import { type Answers, missingIn } from './answers.ts'
import { FieldAnswer, type JudgedItem } from './field-answer.tsx'
import type { FieldKind, ReviewField } from './fields.ts'
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
  readonly judged: JudgedItem
  readonly onAt: (index: number) => void
  readonly onAnswer: (field: ReviewField, value: unknown) => void
  readonly onNote: (note: string) => void
}

/** The questions about an item, and a note. */
export const ReviewForm = ({ fields, answers, note, at, needed, noteField, judged, ...on }: ReviewFormProps) => (
  <div class={css.form}>
    {fields.map((field, index) => {
      const value = answers[field.ref]
      return (
        <fieldset
          key={field.ref}
          class={classNames(css.field, index === at && css.current)}
          onFocusCapture={() => on.onAt(index)}
        >
          <legend class={css.name}>
            <span dir="auto">{field.name}</span>
            <span class={css.kind}>{field.description || wordsOf(field.of)}</span>
            {needed.has(field.ref) && missingIn([field], answers).length > 0 ? (
              <span class={css.needed}>{reviewText.needed}</span>
            ) : isAnswered(value) ? (
              <Icon of={Check} size={14} class={css.tick} />
            ) : (
              isKeyed(field.of.kind) && <KeyHint keys={keyOfKind[field.of.kind]} />
            )}
          </legend>
          <FieldAnswer field={field} value={value} judged={judged} onAnswer={(next) => on.onAnswer(field, next)} />
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

const isAnswered = (value: unknown): boolean =>
  value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)

/** Keys that begin an answer. */
const keyOfKind = { correction: 'E', spans: 'H' } as const
const isKeyed = (kind: FieldKind['kind']): kind is keyof typeof keyOfKind => kind in keyOfKind

const wordsOf = ({ kind }: FieldKind): string =>
  kind === 'correction' ? reviewFormText.becomesExpected : reviewText.fieldKinds[kind]
