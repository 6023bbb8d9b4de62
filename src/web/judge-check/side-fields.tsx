import { Field } from '../components/controls/field.tsx'
import { Select } from '../components/controls/select.tsx'
import { formatNumber } from '../format/number.ts'
import { judgeCheckText as words } from '../text/evaluation/judge-check.ts'
import type { JudgeCheckFigures } from './check-data.ts'
import css from './side-fields.module.css'
import { faultOf, idOf, type LabelChoice, labelOf, type ReadAs, readAsIn, sourceIn } from './sources.ts'

interface SideFieldsProps {
  readonly title: string
  readonly choices: readonly LabelChoice[]
  /** Id of the chosen labels; empty for none. */
  readonly id: string
  readonly as: string
  /** What the server has read; undefined before it has. */
  readonly used: JudgeCheckFigures['judge'] | undefined
  readonly onChoose: (id: string) => void
  readonly onRead: (as: string) => void
}

const valuesShown = 6

/** Which labels a side has, and how they are read. */
export function SideFields({ title, choices, id, as: text, used, onChoose, onRead }: SideFieldsProps) {
  const { as, operand } = readAsIn(text)
  const own = sourceIn(id)
  const isKnown = choices.some((choice) => idOf(choice) === id)
  const options = [
    ...(id === '' ? [{ id: '', label: words.none }] : []),
    ...(own === undefined || isKnown ? [] : [{ id, label: labelOf(own) }]),
    ...choices.map((choice) => ({ id: idOf(choice), label: labelOf(choice) })),
  ]
  return (
    <section class={css.side} aria-label={title}>
      <div class={css.fields}>
        <Select label={title} value={id} options={options} onChange={onChoose} class={css.labels} />
        <Select
          label={words.readAs(title)}
          value={as}
          options={(['', 'from', 'ranges', 'true'] as const).map((each) => ({ id: each, label: words.as[each] }))}
          onChange={(next: ReadAs) => onRead(next === '' ? '' : `${next}:${firstOperand(next, used)}`)}
        />
        {as !== '' && (
          <Field
            label={words.operand[as]}
            value={operand}
            error={faultOf(text)}
            class={css.operand}
            onInput={(event) => onRead(`${as}:${event.currentTarget.value}`)}
          />
        )}
      </div>
      {used && <Found used={used} />}
    </section>
  )
}

/** The labels of a side as they are, and what was assumed of them. */
function Found({ used }: { used: JudgeCheckFigures['judge'] }) {
  const { values, is_assumed, bins, true_values } = used
  const shown = values.slice(0, valuesShown).map(({ value, count }) => words.foundValue(value, count))
  if (values.length > valuesShown) shown.push(words.more)
  return (
    <p class={css.note} dir="auto">
      {shown.length > 0 && words.found(shown.join(', '))}
      {is_assumed && (
        <span class={css.assumed}>
          {' '}
          {bins?.[0] === undefined
            ? words.assumedTrue((true_values ?? []).join(', '))
            : words.assumedFrom(formatNumber(bins[0]))}
        </span>
      )}
    </p>
  )
}

/** What a reading begins with: that which is used now, or the most frequent label. */
function firstOperand(as: ReadAs, used: JudgeCheckFigures['judge'] | undefined): string {
  if (used === undefined) return ''
  if (as === 'true') return (used.true_values ?? used.values.slice(0, 1).map(({ value }) => value)).join(',')
  const numbers = used.values.map(({ value }) => Number(value)).filter(Number.isFinite)
  const sorted = (used.bins ?? numbers).toSorted((a, b) => a - b)
  return as === 'from' ? String(sorted.at(-1) ?? '') : sorted.slice(-2).join(',')
}
