import { classNames } from '../../components/display/class-names.ts'
import { cellText, isNumeric } from '../../sql/cells.ts'
import { chartData, usualChoice } from '../../sql/chart-data.ts'
import { Plot } from '../../sql/result-chart.tsx'
import { ResultTable } from '../../sql/result-table.tsx'
import type { Result } from '../../sql/run-statement.ts'
import { boardText } from '../../text/board.ts'
import type { Shape } from './board.ts'
import { Measured } from './calls-content.tsx'
import css from './card-view.module.css'

/** Below the plot: the values of x, and the names of the series above it. */
const axisHeight = 40
const legendHeight = 22

/** Rows of a statement as a card shows them. */
export function SqlContent({ result, shape }: { result: Result; shape: Shape }) {
  if (shape === 'table') {
    return (
      <div class={css.rows}>
        <ResultTable result={result} />
      </div>
    )
  }
  if (shape === 'number') {
    const at = result.columns.findIndex(({ type }) => isNumeric(type))
    const cell = cellText(result.rows[0]?.[Math.max(at, 0)])
    return (
      <div class={css.number}>
        <span class={css.big}>{cell ?? '–'}</span>
      </div>
    )
  }
  const usual = usualChoice(result)
  if (usual === undefined) return <p class={classNames(css.note, css.inside)}>{boardText.noColumn}</p>
  const choice = { ...usual, kind: shape === 'bars' ? ('bars' as const) : ('lines' as const) }
  const hasLegend = chartData(result, choice).series.length > 1
  return (
    <Measured>
      {(height) => (
        <Plot
          result={result}
          choice={choice}
          height={Math.max(24, height - axisHeight - (hasLegend ? legendHeight : 0))}
          hasNote={false}
        />
      )}
    </Measured>
  )
}
