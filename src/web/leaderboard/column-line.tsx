import { X } from 'lucide'
import { IconButton } from '../components/controls/button.tsx'
import { Select } from '../components/controls/select.tsx'
import { leaderboardText } from '../text/evaluation/leaderboard.ts'
import css from './leaderboard-dialog.module.css'
import { figureName, type StoredColumn } from './leaderboards.ts'
import { choiceOf, type EvaluationChoice, evaluationIn, isOfEveryVersion } from './use-metrics.ts'

const words = leaderboardText.dialog

interface ColumnLineProps {
  readonly column: StoredColumn
  readonly index: number
  readonly evaluations: readonly EvaluationChoice[]
  readonly onChange: (column: StoredColumn) => void
  /** Undefined for the only one. */
  readonly onRemove: (() => void) | undefined
}

/** A column of a leaderboard that is being made: evaluation, version, figure, direction. */
export function ColumnLine({ column, index, evaluations, onChange, onRemove }: ColumnLineProps) {
  const name = evaluationIn(column)
  const evaluation = evaluations.find((each) => each.name === name)
  const ref = isOfEveryVersion(column) ? everyVersion : column.evaluation_object_ref
  const versions = [{ id: everyVersion, label: words.every }, ...(evaluation?.versions ?? []).map(asOption)]
  // What is stored stays a choice, also if no run has it any more.
  const isKnownVersion = versions.some(({ id }) => id === ref)
  const current = choiceOf(column.scorer_name, column.summary_metric_path, figureName(column))
  const metrics = evaluation?.metrics ?? []
  const isKnownMetric = metrics.some(({ id }) => id === current.id)
  return (
    <div class={css.column}>
      <Select
        label={words.of(words.evaluation, index)}
        hideLabel
        value={name}
        options={[
          ...(evaluation === undefined ? [{ id: name, label: name }] : []),
          ...evaluations.map((each) => ({ id: each.name, label: each.name })),
        ]}
        onChange={(next) => {
          const first = evaluations.find((each) => each.name === next)
          if (first) onChange(firstColumn(first))
        }}
      />
      <Select
        label={words.of(words.version, index)}
        hideLabel
        value={ref}
        options={[
          ...(isKnownVersion ? [] : [{ id: ref, label: ref.split(':').at(-1)?.slice(0, 8) ?? ref }]),
          ...versions,
        ]}
        onChange={(next) => onChange({ ...column, ...versionOf(next, evaluation, column) })}
      />
      <Select
        label={words.of(words.metric, index)}
        hideLabel
        value={current.id}
        options={[...(isKnownMetric ? [] : [current]), ...metrics].map(({ id, label }) => ({ id, label }))}
        onChange={(next) => {
          const metric = metrics.find(({ id }) => id === next)
          if (metric) onChange({ ...column, ...membersOf(metric) })
        }}
      />
      <Select
        label={words.of(words.direction, index)}
        hideLabel
        value={column.should_minimize === true ? 'low' : 'high'}
        options={[
          { id: 'high', label: words.high },
          { id: 'low', label: words.low },
        ]}
        onChange={(next) => onChange({ ...column, should_minimize: next === 'low' })}
      />
      <IconButton of={X} label={words.remove(index)} disabled={onRemove === undefined} onClick={() => onRemove?.()} />
    </div>
  )
}

const asOption = ({ ref, label }: { readonly ref: string; readonly label: string }) => ({ id: ref, label })

const membersOf = ({ scorer, path, isLowBetter }: EvaluationChoice['metrics'][number]) => ({
  scorer_name: scorer,
  summary_metric_path: path,
  should_minimize: isLowBetter,
})

/** The choice of all versions. */
const everyVersion = '*'

/** Names the newest version in place of all versions, because SDKs read the runs of one. */
const versionOf = (
  chosen: string,
  evaluation: EvaluationChoice | undefined,
  { evaluation_object_ref: ref }: StoredColumn,
): Pick<StoredColumn, 'evaluation_object_ref' | 'all_versions'> =>
  chosen === everyVersion
    ? { evaluation_object_ref: evaluation?.versions[0]?.ref ?? ref, all_versions: true }
    : { evaluation_object_ref: chosen, all_versions: false }

/** The column that begins with: the first figure of all versions that no other column has. */
export function firstColumn(
  { name, metrics, versions }: EvaluationChoice,
  taken: readonly StoredColumn[] = [],
): StoredColumn {
  const of = { evaluation_object_ref: versions[0]?.ref ?? '', all_versions: true }
  const isTaken = (scorer: string, path: string) =>
    taken.some(
      (column) => evaluationIn(column) === name && column.scorer_name === scorer && column.summary_metric_path === path,
    )
  const metric = metrics.find(({ scorer, path }) => !isTaken(scorer, path)) ?? metrics[0]
  return metric === undefined
    ? { ...of, scorer_name: '', summary_metric_path: '', should_minimize: false }
    : { ...of, ...membersOf(metric) }
}
