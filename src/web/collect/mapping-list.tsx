import { Plus, RotateCcw, X } from 'lucide'
import { Button, IconButton } from '../components/controls/button.tsx'
import { inputClass } from '../components/controls/field.tsx'
import { classNames } from '../components/display/class-names.ts'
import { type Column, kindOf, previewOf } from '../dataset/cells.ts'
import { collectText } from '../text/collect.ts'
import { datasetText } from '../text/dataset.ts'
import { type Mapped, type RowSource, valueAt } from './call-rows.ts'
import css from './collect.module.css'
import { ColumnLetter } from './column-letter.tsx'

interface MappingListProps {
  readonly mapping: readonly Mapped[]
  /** Columns of the dataset; undefined for a new one. */
  readonly columns: readonly Column[] | undefined
  /** Paths of the values of all calls. */
  readonly paths: readonly string[]
  /** What is shown. */
  readonly source: RowSource
  /** Index of the column that the next value goes into. */
  readonly filling: number | undefined
  /** Whether the mapping was remembered from an earlier time. */
  readonly isKept: boolean
  readonly onFill: (index: number | undefined) => void
  readonly onChange: (mapping: readonly Mapped[]) => void
  readonly onReset: () => void
}

/** Which value of a call fills which column. */
export function MappingList(props: MappingListProps) {
  const { mapping, columns, paths, source, filling, isKept, onFill, onChange, onReset } = props
  const change = (index: number, part: Partial<Mapped>) =>
    onChange(mapping.map((each, other) => (other === index ? { ...each, ...part } : each)))
  const add = () => {
    onChange([...mapping, { column: '', path: '' }])
    onFill(mapping.length)
  }
  return (
    <div class={css.map} role="group" aria-label={collectText.mapping}>
      {mapping.map(({ column, path }, index) => {
        const known = columns?.find((each) => each.name === column)
        const isFilling = index === filling
        const options = path === '' || paths.includes(path) ? paths : [path, ...paths]
        return (
          <div key={index} class={classNames(css.line, isFilling && css.filling)}>
            <button
              type="button"
              class={css.choose}
              aria-pressed={isFilling}
              aria-label={collectText.fill(column)}
              data-tip={collectText.fillTip}
              onClick={() => onFill(isFilling ? undefined : index)}
            >
              <ColumnLetter index={index} isMapped={path !== ''} />
            </button>
            <span class={css.column}>
              {known ? (
                <strong class="cut" dir="auto">
                  {column}
                </strong>
              ) : (
                <input
                  class={inputClass}
                  aria-label={collectText.columnName(index + 1)}
                  value={column}
                  dir="auto"
                  onInput={(event) => change(index, { column: event.currentTarget.value.trim() })}
                />
              )}
              <small>{known ? datasetText.kinds[known.kind] : collectText.newColumn}</small>
            </span>
            <span class={css.arrow} aria-hidden>
              ←
            </span>
            <span class={css.from}>
              <select
                class={classNames(inputClass, css.path)}
                aria-label={collectText.valueFor(column)}
                value={path}
                onChange={(event) => change(index, { path: event.currentTarget.value })}
              >
                <option value="">{isFilling ? collectText.clickOne : collectText.leftEmpty}</option>
                {options.map((each) => (
                  <option key={each} value={each}>
                    {each}
                  </option>
                ))}
              </select>
              <MappedValue text={valueAt(source.text, path)} path={path} kind={known?.kind} />
            </span>
            {path === '' && known ? (
              <span />
            ) : (
              <IconButton
                of={X}
                size="compact"
                kind="quiet"
                label={known ? collectText.unmap(column) : collectText.removeColumn(column)}
                onClick={() => {
                  onFill(undefined)
                  if (known) change(index, { path: '' })
                  else onChange(mapping.filter((_, other) => other !== index))
                }}
              />
            )}
          </div>
        )
      })}
      <div class={css.more}>
        <Button size="compact" kind="quiet" icon={Plus} onClick={add}>
          {collectText.moreColumns}
        </Button>
        {isKept && (
          <span class={css.kept}>
            {collectText.remembered(source.op)}
            <Button size="compact" kind="quiet" icon={RotateCcw} onClick={onReset}>
              {collectText.startAgain}
            </Button>
          </span>
        )}
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
  if (path === '') return null
  if (text === undefined) return <span class={classNames(css.value, css.warn)}>{collectText.noValueHere}</span>
  const own = kindOf(text)
  const differs = kind !== undefined && kind !== own && own !== 'null' && kind !== 'null'
  return (
    <span class={classNames(css.value, differs && css.warn)} dir="auto">
      {differs && `${collectText.otherKind(datasetText.kinds[own], datasetText.kinds[kind])} · `}
      {previewOf(text, own)}
    </span>
  )
}
