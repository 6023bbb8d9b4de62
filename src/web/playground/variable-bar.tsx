import { ChevronLeft, ChevronRight } from 'lucide'
import { IconButton } from '../components/controls/button.tsx'
import { Select } from '../components/controls/select.tsx'
import { classNames } from '../components/display/class-names.ts'
import type { DatasetFamily } from '../dataset/datasets.ts'
import { formatCount } from '../format/number.ts'
import { playgroundText } from '../text/playground.ts'
import css from './variable-bar.module.css'
import { runsMax, type Workspace } from './workspace.ts'

interface VariableBarProps {
  readonly workspace: Workspace
  readonly families: readonly DatasetFamily[]
  readonly rowCount: number | undefined
  /** Variables that the columns use. */
  readonly names: readonly string[]
  readonly values: Readonly<Record<string, string>>
  readonly onChange: (changes: Partial<Workspace>) => void
}

/** The row of a dataset, the variables with their values, and how often columns are run. */
export function VariableBar({ workspace, families, rowCount, names, values, onChange }: VariableBarProps) {
  const { dataset, row, runs } = workspace
  return (
    <div class={css.bar} role="group" aria-label={playgroundText.valuesOf}>
      <Select
        label={playgroundText.dataset}
        hideLabel
        class={css.dataset}
        value={dataset}
        options={[
          { id: '', label: playgroundText.noDataset },
          ...families.map(({ name, latest }) => ({ id: name, label: `${name} v${latest.version_index}` })),
        ]}
        onChange={(name) => onChange({ dataset: name, row: 0, values: {} })}
      />
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
