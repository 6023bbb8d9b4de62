import { FlaskConical } from 'lucide'
import { letterOf, SideMark } from '../compare/side-mark.tsx'
import { Button } from '../components/controls/button.tsx'
import { StatusIcon } from '../components/display/status-icon.tsx'
import { formatCost, formatCount } from '../format/number.ts'
import { playgroundText } from '../text/playground.ts'
import css from './rows-table.module.css'
import type { Run } from './run.ts'
import type { RowRuns } from './use-row-runs.ts'

interface RowsTableProps {
  readonly rows: RowRuns
  readonly columns: number
  readonly currentRow: number
  readonly costOf: (run: Run) => number | undefined
  readonly onRow: (row: number) => void
  /** Runs what failed again; undefined while that is not possible. */
  readonly onAgain: (() => void) | undefined
  /** Starts an evaluation of the columns with the dataset; undefined without a dataset. */
  readonly onEvaluate: (() => void) | undefined
  /** Letters of the columns that are saved before that. */
  readonly unsaved: readonly string[]
  readonly isSaving: boolean
}

/** The answers of every column to some rows of a dataset. */
export function RowsTable({ rows, columns, currentRow, costOf, onRow, onAgain, ...evaluating }: RowsTableProps) {
  const { onEvaluate, unsaved, isSaving } = evaluating
  const sides = Array.from({ length: columns }, (_, side) => side)
  const failed = rows.lines.flatMap(({ runs }) => runs.filter((run) => run?.state === 'failed')).length
  return (
    <section class={css.rows} aria-label={playgroundText.foldRows}>
      <header class={css.head}>
        <h2>{playgroundText.foldRows}</h2>
        <span class={css.weak}>{playgroundText.rowsOf(rows.lines.length, rows.dataset)}</span>
        {sides.map((side) => {
          const runs = rows.lines.flatMap((line) => line.runs[side] ?? [])
          const done = runs.filter(({ state }) => state === 'done').length
          const bad = runs.filter(({ state }) => state === 'failed' || state === 'incomplete').length
          const cost = runs.reduce((sum, run) => sum + (costOf(run) ?? 0), 0)
          return (
            <span key={side} class={css.sum}>
              <SideMark side={side} /> {playgroundText.rowsDone(done, formatCost(cost))}
              {bad > 0 && <span class={css.bad}>{playgroundText.failed(bad)}</span>}
            </span>
          )
        })}
        <span class={css.buttons}>
          {failed > 0 && onAgain && (
            <Button kind="quiet" onClick={onAgain}>
              {playgroundText.runAgain(failed)}
            </Button>
          )}
          {onEvaluate && (
            <Button
              icon={FlaskConical}
              busy={isSaving}
              data-tip={unsaved.length > 0 ? playgroundText.saveAndEvaluateReason(unsaved.join(', ')) : undefined}
              onClick={onEvaluate}
            >
              {unsaved.length > 0 ? playgroundText.saveAndEvaluate : playgroundText.asEvaluation}
            </Button>
          )}
        </span>
      </header>
      <div class={css.scroll}>
        <table class={css.table} aria-label={playgroundText.foldRows}>
          <colgroup>
            <col class={css.number} />
          </colgroup>
          <thead class="sr-only">
            <tr>
              <th scope="col">{playgroundText.rowWord}</th>
              <th scope="col">{playgroundText.valuesOf}</th>
              {sides.map((side) => (
                <th key={side} scope="col">
                  {playgroundText.columnName(letterOf(side))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.lines.map((line) => (
              <tr key={line.row} class={line.row === currentRow ? css.current : undefined}>
                <th scope="row">
                  <button type="button" onClick={() => onRow(line.row)}>
                    {formatCount(line.row + 1)}
                  </button>
                </th>
                <td dir="auto">{Object.values(line.values)[0]?.slice(0, 200)}</td>
                {sides.map((side) => (
                  <td key={side} dir="auto">
                    <Cell run={line.runs[side]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Cell({ run }: { run: Run | undefined }) {
  if (run === undefined) return <span class={css.weak}>–</span>
  if (run.state === 'waiting') return <StatusIcon status="running" size={14} />
  if (run.state === 'failed') {
    const { answer, error } = run
    return <span class={css.bad}>{answer ? playgroundText.providerError(answer.status) : error}</span>
  }
  const called = run.toolCalls.map(({ name, arguments: args }) => `${name}(${args})`).join(' ')
  return (
    <>
      {(run.text || called).slice(0, 400)}
      {run.state === 'incomplete' && <span class={css.warn}> {playgroundText.incomplete}</span>}
    </>
  )
}
