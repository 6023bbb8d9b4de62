import { ChevronLeft, ChevronRight } from 'lucide'
import { IconButton } from '../components/controls/button.tsx'
import { Select } from '../components/controls/select.tsx'
import { classNames } from '../components/display/class-names.ts'
import { formatCount } from '../format/number.ts'
import { playgroundText } from '../text/playground.ts'
import type { DatasetRow } from './use-dataset-row.ts'
import css from './variable-bar.module.css'
import { runsMax, type Workspace } from './workspace.ts'

interface VariableBarProps {
  readonly workspace: Workspace
  readonly rows: DatasetRow
  /** Variables that the columns use. */
  readonly names: readonly string[]
  readonly values: Readonly<Record<string, string>>
  readonly onChange: (changes: Partial<Workspace>) => void
  /** Called before somebody chooses a dataset or a version. */
  readonly onChoose: () => void
}

/** The row of a dataset, the variables with their values, and how often columns are run. */
export function VariableBar({ workspace, rows, names, values, onChange, onChoose }: VariableBarProps) {
  const { dataset, row, runs } = workspace
  const { families, versions, tables, version, rowCount } = rows
  return (
    <div class={css.bar} role="group" aria-label={playgroundText.valuesOf}>
      <Select
        label={playgroundText.dataset}
        hideLabel
        class={css.dataset}
        value={dataset}
        onOpen={onChoose}
        options={[
          { id: '', label: playgroundText.noDataset },
          ...(rows.isReading && dataset !== '' ? [{ id: dataset, label: dataset }] : []),
          ...families.map(({ name }) => ({ id: name, label: name })),
        ]}
        onChange={(name) => onChange({ dataset: name, datasetDigest: undefined, row: 0, values: {} })}
      />
      {dataset !== '' && version !== undefined && (
        <Select
          label={playgroundText.datasetVersion}
          hideLabel
          value={version.digest}
          onOpen={onChoose}
          options={(versions.length === 0 ? [version] : versions).map(({ digest, version_index: index }) => {
            const count = tables?.get(digest)?.rowCount
            return {
              id: digest,
              label: playgroundText.versionOf(index, count === undefined ? undefined : formatCount(count)),
            }
          })}
          onChange={(digest) => {
            const count = tables?.get(digest)?.rowCount ?? 1
            onChange({ datasetDigest: digest, row: Math.min(row, Math.max(0, count - 1)), values: {} })
          }}
        />
      )}
      {dataset !== '' && rowCount !== undefined && (
        <span class={css.step}>
          <IconButton
            of={ChevronLeft}
            kind="default"
            label={playgroundText.previousRow}
            hint="["
            disabled={row === 0}
            onClick={() => onChange({ row: row - 1, values: {} })}
          />
          <span class={css.at}>{playgroundText.row(formatCount(row + 1), formatCount(rowCount))}</span>
          <IconButton
            of={ChevronRight}
            kind="default"
            label={playgroundText.nextRow}
            hint="]"
            disabled={row >= rowCount - 1}
            onClick={() => onChange({ row: row + 1, values: {} })}
          />
        </span>
      )}
      {names.map((name) => (
        <label key={name} class={css.chip}>
          <code class={classNames(css.name, values[name] === undefined && css.empty)}>{name}</code>
          <input
            aria-label={playgroundText.valueOf(name)}
            placeholder={playgroundText.variable}
            dir="auto"
            value={values[name] ?? ''}
            style={{ width: `${Math.min(28, Math.max(8, (values[name] ?? '').length)) + 1}ch` }}
            onInput={({ currentTarget: { value } }) => onChange({ values: { ...workspace.values, [name]: value } })}
          />
        </label>
      ))}
      <label class={css.runs}>
        {playgroundText.runs}
        <input
          type="number"
          min={1}
          max={runsMax}
          value={runs}
          onInput={({ currentTarget: { valueAsNumber } }) =>
            valueAsNumber >= 1 && valueAsNumber <= runsMax && onChange({ runs: Math.floor(valueAsNumber) })
          }
        />
      </label>
    </div>
  )
}
