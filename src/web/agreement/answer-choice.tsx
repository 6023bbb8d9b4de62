import { Check, ChevronRight } from 'lucide'
import { useState } from 'preact/hooks'
import { inputClass } from '../components/controls/field.tsx'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { lazyPart } from '../components/states/lazy-part.tsx'
import type { ReviewField } from '../review/fields.ts'
import form from '../review/review-form.module.css'
import { agreementText as words } from '../text/agreement.ts'
import css from './answer-choice.module.css'
import { type JudgedItem, kindOf } from './judgements.ts'
import { valueText } from './value-text.tsx'

const MarkedAnswer = lazyPart(() => import('./marked-answer.tsx'), { loading: () => null })

/** A different answer to a question, with the notes of who gave it. */
export interface TakenAnswer {
  readonly value: unknown
  readonly notes: readonly string[]
  readonly callId: string
}

/** The different answers to a question, in an order that does not tell who gave them. */
export function answersTo({ item, answers, notes }: JudgedItem, { ref }: ReviewField): readonly TakenAnswer[] {
  const groups = Map.groupBy(answers.get(ref) ?? [], ([, value]) => JSON.stringify(value))
  return [...groups]
    .toSorted(([a], [b]) => scrambled(item.id + a) - scrambled(item.id + b))
    .map(([, given]) => ({
      value: given[0]?.[1],
      callId: item.call_id,
      notes: given.flatMap(([person]) => notes.get(person) ?? []),
    }))
}

/** A number that follows from a text and tells nothing about it (FNV-1a). */
function scrambled(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/**
 * Options that no reviewer chose; undefined if the answer is typed, null if there are none.
 */
export function otherAnswers(field: ReviewField, taken: readonly TakenAnswer[]): readonly unknown[] | undefined | null {
  const { of } = field
  const free = (options: readonly unknown[]) => {
    const left = options.filter((option) => !taken.some(({ value }) => value === option))
    return left.length === 0 ? null : left
  }
  switch (of.kind) {
    case 'boolean':
      return free([true, false])
    case 'choice':
      return free(of.options)
    case 'scale':
      return free(Array.from({ length: of.high - of.low + 1 }, (_, index) => of.low + index))
    case 'number':
    case 'text':
      return undefined
    default:
      return kindOf(field) === 'correction' ? undefined : null
  }
}

interface AnswerChoiceProps {
  readonly field: ReviewField
  readonly answers: readonly TakenAnswer[]
  readonly isCurrent: boolean
  readonly isChosen: boolean
  /** Whether the item can be decided without it. */
  readonly isOptional: boolean
  readonly value: unknown
  /** Whether another answer is being chosen. */
  readonly isOther: boolean
  /** Undefined for people who may not decide. */
  readonly onChoose: ((value: unknown) => void) | undefined
  readonly onOther: () => void
  readonly onFocus: () => void
}

/**
 * A question on which reviewers disagree: their answers side by side, and what else may be right.
 */
export function AnswerChoice(props: AnswerChoiceProps) {
  const { field, answers, isCurrent, isChosen, isOptional, value, isOther, ...on } = props
  const { onChoose } = on
  const others = otherAnswers(field, answers)
  const isTaken = (each: unknown) => isChosen && JSON.stringify(each) === JSON.stringify(value)
  return (
    <fieldset class={classNames(form.field, isCurrent && form.current)} onFocusCapture={on.onFocus}>
      <legend class={form.name}>
        <span dir="auto">{field.name}</span> <span class={css.badge}>{words.differs}</span>{' '}
        {isOptional && onChoose && <small class={css.note}>{words.optional}</small>}
        {isChosen && <Icon of={Check} size={14} class={form.tick} />}
      </legend>
      <div class={css.answers}>
        {answers.map((answer, index) => {
          const body = (
            <AnswerBody field={field} answer={answer} number={index + 1} other={answers[index === 0 ? 1 : 0]} />
          )
          return onChoose ? (
            <button
              key={index}
              type="button"
              class={css.answer}
              aria-pressed={isTaken(answer.value)}
              onClick={() => onChoose(answer.value)}
            >
              {body}
            </button>
          ) : (
            <div key={index} class={css.answer}>
              {body}
            </div>
          )
        })}
      </div>
      {onChoose && (
        <div class={form.options}>
          {others !== null && (
            <Option label={words.neither} number={answers.length + 1} isPressed={isOther} onClick={on.onOther} />
          )}
          <Option
            label={words.cannot}
            number={answers.length + (others === null ? 1 : 2)}
            isPressed={isChosen && value === null}
            onClick={() => onChoose(null)}
          />
        </div>
      )}
      {onChoose && isOther && others !== null && (
        <AnyAnswer field={field} options={others} value={value} onChoose={onChoose} />
      )}
    </fieldset>
  )
}

interface AnswerBodyProps {
  readonly field: ReviewField
  readonly answer: TakenAnswer
  readonly number: number
  /** The answer that it is compared with, word by word, if it is a text. */
  readonly other: TakenAnswer | undefined
}

const AnswerBody = ({ field, answer, number, other }: AnswerBodyProps) => (
  <>
    <span class={css.number}>
      <span class={form.key} aria-hidden="true">
        {number}
      </span>
      {words.heads.answer(number)}
    </span>
    <span class={css.value} dir="auto">
      {other !== undefined && isProse(field) ? (
        <MarkedAnswer text={proseOf(answer.value)} other={proseOf(other.value)} />
      ) : (
        valueText(field, answer.value, answer.callId)
      )}
    </span>
    {(answer.notes.length === 0 ? [words.noNote] : answer.notes.map(words.note)).map((note) => (
      <span key={note} class={css.note} dir="auto">
        {note}
      </span>
    ))}
  </>
)

const isProse = (field: ReviewField): boolean => ['text', 'correction'].includes(kindOf(field))

/** A written answer as text; other values as indented JSON. */
const proseOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''))

interface OptionProps {
  readonly label: string
  readonly number?: number
  readonly isPressed: boolean
  readonly onClick: () => void
}

const Option = ({ label, number, isPressed, onClick }: OptionProps) => (
  <button type="button" class={form.option} aria-pressed={isPressed} onClick={onClick}>
    {number !== undefined && (
      <span class={form.key} aria-hidden="true">
        {number}
      </span>
    )}
    <span dir="auto">{label}</span>
  </button>
)

interface AnyAnswerProps {
  readonly field: ReviewField
  readonly options: readonly unknown[] | undefined
  readonly value: unknown
  readonly onChoose: (value: unknown) => void
}

/** Any answer to a question: the options that are given, or what is typed. */
export function AnyAnswer({ field, options, value, onChoose }: AnyAnswerProps) {
  const [typed, setTyped] = useState(typeof value === 'string' || typeof value === 'number' ? String(value) : '')
  if (options !== undefined)
    return (
      <div class={form.options}>
        {options.map((option) => (
          <Option
            key={String(option)}
            label={valueText(field, option)}
            isPressed={option === value}
            onClick={() => onChoose(option)}
          />
        ))}
      </div>
    )
  const isNumber = field.of.kind === 'number'
  const type = (next: string) => {
    setTyped(next)
    const number = Number(next)
    if (next.trim() !== '' && (!isNumber || Number.isFinite(number))) onChoose(isNumber ? number : next)
  }
  return (
    <textarea
      class={classNames(inputClass, form.text)}
      aria-label={words.another}
      dir="auto"
      rows={isNumber ? 1 : 3}
      inputMode={isNumber ? 'decimal' : undefined}
      value={typed}
      onInput={(event) => type(event.currentTarget.value)}
    />
  )
}

/** A question to which all gave the same answer, or not all gave any: one line. */
export const AgreedAnswer = ({ field, judged }: { field: ReviewField; judged: JudgedItem }) => {
  const given = [...(judged.answers.get(field.ref)?.values() ?? [])]
  if (given.length === 0) return null
  return (
    <div class={css.agreed}>
      <span dir="auto">{field.name}</span>
      <span class={css.grey} dir="auto">
        {given.length < judged.people.size ? words.unanswered : words.allAnswered(given.length)}{' '}
        {valueText(field, given[0], judged.item.call_id)}
      </span>
      <span class={css.grey}>
        <Icon of={ChevronRight} size={14} /> {words.agree}
      </span>
    </div>
  )
}
