import { useMemo, useState } from 'preact/hooks'
import { Segments } from '../components/controls/segments.tsx'
import type { ReviewField } from '../review/fields.ts'
import { agreementText as words } from '../text/agreement.ts'
import { type Agreement, agreementOf } from './agreement.ts'
import css from './agreement-panel.module.css'
import { type JudgedItem, metricOf, ratingsOf } from './judgements.ts'
import { PairMatrix } from './pair-matrix.tsx'
import { TwoWayTable } from './two-way-table.tsx'
import { coefficientText } from './value-text.tsx'

interface AgreementPanelProps {
  readonly judged: readonly JudgedItem[]
  readonly fields: readonly ReviewField[]
  readonly nameOf: (userId: string) => string
}

/** How much reviewers agree on each question, and on one of them pair by pair. */
export function AgreementPanel({ judged, fields, nameOf }: AgreementPanelProps) {
  const compared = useMemo(
    () =>
      fields.flatMap((field) => {
        const metric = metricOf(field)
        if (metric === undefined) return []
        const ratings = ratingsOf(judged, field)
        return [{ field, metric, ratings, agreement: agreementOf(ratings, metric) }]
      }),
    [judged, fields],
  )
  const [shown, setShown] = useState('')
  const current = compared.find(({ field }) => field.ref === shown) ?? compared[0]
  return (
    <section class={css.panel} aria-label={words.agreement}>
      <h2 class={css.title} data-tip={words.agreementTip}>
        {words.agreement} <small>{words.agreementAbout}</small>
      </h2>
      {compared.length === 0 && <p class={css.about}>{words.nothingCompared}</p>}
      {compared.map(({ field, agreement }) => (
        <Row key={field.ref} name={field.name} agreement={agreement} />
      ))}
      {compared.length > 0 && <p class={css.about}>{words.agreementTip}</p>}
      {compared.length > 1 && current && (
        <Segments
          label={words.questionShown}
          options={compared.map(({ field }) => ({ id: field.ref, label: <span dir="auto">{field.name}</span> }))}
          current={current.field.ref}
          onSelect={setShown}
        />
      )}
      {current && (
        <>
          <TwoWayTable field={current.field} ratings={current.ratings} />
          <PairMatrix ratings={current.ratings} metric={current.metric} nameOf={nameOf} />
        </>
      )}
    </section>
  )
}

const Row = ({ name, agreement: { coefficient, items, value, interval } }: { name: string; agreement: Agreement }) => (
  <div class={css.row}>
    <span class={css.name}>
      <span class="cut" dir="auto">
        {name}
      </span>
      <small>{words.coefficients[coefficient]}</small>
    </span>
    <b class={css.figure}>{value === undefined ? '–' : coefficientText(value)}</b>
    {interval && value !== undefined ? (
      <span class={css.range}>
        <Axis value={value} interval={interval} />
        <span>{words.range(coefficientText(interval[0]), coefficientText(interval[1]))}</span>
      </span>
    ) : (
      <span class={css.range}>{words.tooFew(items)}</span>
    )}
    <span class={css.count}>{words.countOf(items)}</span>
  </div>
)

const axisWidth = 100

/** An interval on an axis from 0 to 1; what is below 0 ends at its beginning. */
function Axis({ value, interval: [low, high] }: { value: number; interval: readonly [number, number] }) {
  const at = (each: number): number => 3 + (axisWidth - 6) * Math.min(1, Math.max(0, each))
  return (
    <svg class={css.axis} width={axisWidth} height="12" aria-hidden="true">
      <path class={css.base} d={`M0 6H${axisWidth}`} />
      <path class={css.span} d={`M${at(low)} 6H${at(high)}M${at(low)} 3v6M${at(high)} 3v6`} />
      <circle class={css.disc} cx={at(value)} cy="6" r="2.7" />
    </svg>
  )
}
