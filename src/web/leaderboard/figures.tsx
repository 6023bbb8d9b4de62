import { ArrowDown, ArrowUp } from 'lucide'
import { Badge } from '../components/display/badge.tsx'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { ScoreAxis } from '../evaluation/parts.tsx'
import { modelOf, promptOf } from '../evaluation/runs.ts'
import { formatMoment } from '../format/time.ts'
import { runPath } from '../state/paths.ts'
import { leaderboardText as words } from '../text/evaluation/leaderboard.ts'
import css from './figures.module.css'
import {
  figureName,
  figureText,
  type Leaderboard,
  type LeaderboardCell,
  type LeaderboardColumn,
  sortedRows,
} from './leaderboards.ts'

interface FiguresProps {
  readonly projectId: string
  readonly board: Leaderboard
  /** Index of a column, or `model`. */
  readonly by: number | 'model'
  readonly isReversed: boolean
  readonly onSort: (by: number | 'model') => void
}

/** The figures of a leaderboard: a row for each model, a column for each metric. */
export function Figures({ projectId, board, by, isReversed, onSort }: FiguresProps) {
  const ranges = board.columns.map((column, index) => rangeOf(column, cellsOf(board, index)))
  const rankedBy = by === 'model' ? 0 : by
  const order = isReversed ? 'descending' : 'ascending'
  return (
    <div class={css.box}>
      <table class={css.table}>
        <thead>
          <tr>
            <th scope="col" class={css.rank}>
              {words.rank}
            </th>
            <th scope="col" class={css.model} aria-sort={by === 'model' ? order : undefined}>
              <SortButton
                label={words.model}
                isCurrent={by === 'model'}
                isReversed={isReversed}
                onSort={() => onSort('model')}
              />
            </th>
            {board.columns.map((column, index) => (
              <th key={index} scope="col" class={css.metric} aria-sort={by === index ? order : undefined}>
                <SortButton
                  label={figureName(column)}
                  isCurrent={by === index}
                  isReversed={isReversed}
                  onSort={() => onSort(index)}
                />
                <small>
                  <bdi>{column.evaluation.name}</bdi> {evaluationVersion(column)} ·{' '}
                  {column.should_minimize ? words.lower : words.higher}
                </small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sortedRows(board, by, isReversed).map((row) => (
            <tr key={row.model.ref}>
              <td class={css.rank}>{row.cells[rankedBy]?.rank ?? '–'}</td>
              <th scope="row" class={css.model} dir="auto">
                <b>{modelOf(row)}</b> <span>{promptOf(row)}</span>
              </th>
              {board.columns.map((column, index) => (
                <td key={index} class={css.metric}>
                  <Figure projectId={projectId} column={column} cell={row.cells[index] ?? null} range={ranges[index]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const cellsOf = ({ rows }: Leaderboard, index: number): LeaderboardCell[] =>
  rows.flatMap(({ cells }) => cells[index] ?? [])

const evaluationVersion = ({ evaluation }: LeaderboardColumn): string =>
  evaluation.version === null ? words.allVersions : words.version(evaluation.version)

interface SortButtonProps {
  readonly label: string
  readonly isCurrent: boolean
  readonly isReversed: boolean
  readonly onSort: () => void
}

const SortButton = ({ label, isCurrent, isReversed, onSort }: SortButtonProps) => (
  <button type="button" class={css.sort} data-tip={words.sortBy(label)} onClick={onSort}>
    <bdi>{label}</bdi>
    {isCurrent && <Icon of={isReversed ? ArrowUp : ArrowDown} size={14} />}
  </button>
)

interface FigureProps {
  readonly projectId: string
  readonly column: LeaderboardColumn
  readonly cell: LeaderboardCell | null
  readonly range: readonly [number, number] | undefined
}

/** A figure with its interval, and the run that it is of. */
function Figure({ projectId, column, cell, range }: FigureProps) {
  if (cell === null) return <span class={css.none}>–</span>
  const { value, low, high, scored_rows, unscored_rows, failed_rows, rank } = cell
  const text = (each: number) => figureText(column, each)
  const when = formatMoment(cell.started_at)
  const interval = low === null || high === null ? undefined : words.interval(text(low), text(high))
  const tip =
    interval === undefined || scored_rows === null
      ? words.summaryTip(when)
      : words.tip(interval, scored_rows, unscored_rows ?? 0, failed_rows, when)
  return (
    <a class={css.figure} href={runPath(projectId, cell.evaluation_call_id)} data-tip={tip}>
      <span class={css.line}>
        <span class={classNames(css.value, rank === 1 && css.best)}>{text(value)}</span>
        {range && interval !== undefined && <ScoreAxis score={cell} range={range} />}
        {rank === 1 && <Badge tone="outline">{words.best}</Badge>}
      </span>
      <small>
        {interval ?? words.noInterval}
        {scored_rows !== null && `, ${words.count(scored_rows)}`}
        <OtherVersions column={column} cell={cell} />
      </small>
    </a>
  )
}

/** The versions that most figures of the column do not share. */
function OtherVersions({ column, cell }: { column: LeaderboardColumn; cell: LeaderboardCell }) {
  const named = column.differing_versions.flatMap(({ kind, versions }) => {
    const of = kind === 'dataset' ? cell.dataset : cell.scorer
    const most = Math.max(...versions.map(({ evaluation_call_ids: runs }) => runs.length))
    const own = versions.find(({ ref }) => ref === of?.ref)
    if (of === null || own === undefined || own.evaluation_call_ids.length === most) return []
    return [`${of.name} ${words.version(of.version)}`.trim()]
  })
  return named.length === 0 ? null : <span class={css.warn}> {named.join(', ')}</span>
}

/** Common range of the axes of a column. */
function rangeOf({ kind }: LeaderboardColumn, cells: readonly LeaderboardCell[]): readonly [number, number] {
  const low = Math.min(...cells.map((cell) => cell.low ?? cell.value))
  const high = Math.max(...cells.map((cell) => cell.high ?? cell.value))
  return kind === 'rate' ? [Math.floor(low * 10) / 10, Math.ceil(high * 10) / 10] : [low, high]
}
