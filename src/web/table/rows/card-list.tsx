import type { RefObject } from 'preact'
import { classNames } from '../../components/display/class-names.ts'
import { FixedRows } from '../../components/display/fixed-rows.tsx'
import { StatusIcon } from '../../components/display/status-icon.tsx'
import { wholeOpName } from '../../format/op-names.ts'
import type { CallRow } from '../call-row.ts'
import { columnById } from '../columns/known-columns.ts'
import { directionOfPreview } from '../preview-parts.ts'
import css from './card-list.module.css'
import { type CellFacts, cellContent, costFigure, formatRowTime } from './cells.tsx'
import { preview } from './preview.tsx'

const cardHeight = 81
const latency = columnById('latency')
const output = columnById('output')

/** The rows of a table on a phone: three lines each. */
export function CardList({ rows, label, factsOf, hrefOf, shown, box }: CardListProps) {
  return (
    <div ref={box} class={css.box}>
      <FixedRows
        role="list"
        aria-label={label}
        tabIndex={0}
        class={css.list}
        items={rows}
        rowHeight={cardHeight}
        onRange={shown}
        render={(row, index) => {
          const facts = factsOf(row)
          return (
            <div key={row.id} role="listitem" aria-setsize={rows.length} aria-posinset={index + 1}>
              <a class={css.card} href={hrefOf(row)}>
                <span class={css.status}>
                  <StatusIcon status={row.status} inList />
                </span>
                <span class={css.line}>
                  <span class={classNames('cut', css.input)} dir={directionOfPreview(row.input)}>
                    {row.input.trim() === '' ? wholeOpName(row.name) : preview(row.input)}
                  </span>
                  <span class={css.time}>{formatRowTime(row.startedAt)}</span>
                </span>
                <span class={classNames('cut', css.output)} dir={directionOfPreview(row.error ?? row.output)}>
                  {hasResult(row) ? cellContent(output, row, facts) : wholeOpName(row.name)}
                </span>
                <span class={css.line}>
                  <span class={css.latency}>{cellContent(latency, row, facts)}</span>
                  <span class={css.cost}>{facts.usage && costFigure(facts.usage)}</span>
                </span>
              </a>
            </div>
          )
        }}
      />
    </div>
  )
}

/** What runs has none yet: its card says what is running instead. */
const hasResult = ({ error, errorInside, output: text }: CallRow): boolean =>
  error !== null || errorInside !== null || text.trim() !== ''

interface CardListProps {
  readonly rows: readonly CallRow[]
  readonly label: string
  readonly factsOf: (row: CallRow) => CellFacts
  readonly hrefOf: (row: CallRow) => string
  readonly shown: (first: number, last: number) => void
  readonly box: RefObject<HTMLDivElement | null>
}
