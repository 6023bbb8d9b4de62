import { Button } from '../components/controls/button.tsx'
import { inputClass } from '../components/controls/field.tsx'
import { classNames } from '../components/display/class-names.ts'
import { type Column, kindOf, previewOf } from '../dataset/cells.ts'
import { bulkText } from '../text/bulk.ts'
import { datasetText } from '../text/dataset.ts'
import type { Mapped, PayloadValue } from './call-rows.ts'
import css from './dataset-dialog.module.css'

interface DatasetMappingProps {
  readonly mapping: readonly Mapped[]
  /** Columns of the dataset; undefined for a new one. */
  readonly columns: readonly Column[] | undefined
  /** Paths of the values of all calls. */
  readonly paths: readonly string[]
  /** Values of the call that is shown. */
  readonly values: readonly PayloadValue[]
  readonly onChange: (mapping: readonly Mapped[]) => void
}

/** Which value of a call fills which column, with the value of the call that is shown. */
export function DatasetMapping({ mapping, columns, paths, values, onChange }: DatasetMappingProps) {
  const change = (index: number, part: Partial<Mapped>) =>
    onChange(mapping.map((each, other) => (other === index ? { ...each, ...part } : each)))
  return (
    <div class={css.map} role="group" aria-label={bulkText.mapping}>
      {mapping.map(({ column, path }, index) => {
        const known = columns?.find((each) => each.name === column)
        return (
          <div key={index} class={css.line}>
            {known ? (
              <strong class="cut" dir="auto">
                {column}
              </strong>
            ) : (
              <input
                class={inputClass}
                aria-label={bulkText.columnName(index + 1)}
                value={column}
                dir="auto"
                onInput={(event) => change(index, { column: event.currentTarget.value.trim() })}
              />
            )}
            <span class={css.arrow} aria-hidden>
              ←
            </span>
            <select
              class={inputClass}
              aria-label={bulkText.valueFor(column)}
              value={path}
              onChange={(event) => change(index, { path: event.currentTarget.value })}
            >
              <option value="">{bulkText.leftEmpty}</option>
              {paths.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
            <MappedValue text={values.find((each) => each.path === path)?.text} path={path} kind={known?.kind} />
          </div>
        )
      })}
      <div class={css.line}>
        <Button size="compact" kind="quiet" onClick={() => onChange([...mapping, { column: '', path: '' }])}>
          {bulkText.moreColumns}
        </Button>
      </div>
    </div>
  )
}

interface MappedValueProps {
  readonly text: string | undefined
  readonly path: string
  /** What the column holds. */
  readonly kind: ReturnType<typeof kindOf> | undefined
}

/** The value of the call that is shown, and whether it fits the column. */
function MappedValue({ text, path, kind }: MappedValueProps) {
  if (path === '') return <span class={css.value} />
  if (text === undefined) return <span class={classNames(css.value, css.warn)}>{bulkText.noValueHere}</span>
  const own = kindOf(text)
  const differs = kind !== undefined && kind !== own && own !== 'null' && kind !== 'null'
  return (
    <span class={classNames(css.value, differs && css.warn)} dir="auto">
      {differs && `${bulkText.otherKind(datasetText.kinds[own], datasetText.kinds[kind])} · `}
      {previewOf(text, own)}
    </span>
  )
}
