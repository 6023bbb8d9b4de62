import { ArrowDown, ArrowUp, Columns3, Pin, PinOff } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { Checkbox } from '../../components/controls/checkbox.tsx'
import { Field } from '../../components/controls/field.tsx'
import { Segments } from '../../components/controls/segments.tsx'
import { Popover } from '../../components/overlays/popover.tsx'
import { formatShare } from '../../format/number.ts'
import { type Preferences, prefer, preferences } from '../../state/preferences.ts'
import { tableText } from '../../text/table.ts'
import { SampleNote } from '../facets/sample-note.tsx'
import { useFields } from '../use-fields.ts'
import { isPathColumn } from './column-paths.ts'
import { type Column, moved, pinToggled, shownToggled } from './columns.ts'
import css from './columns-menu.module.css'
import { columnById, offeredColumns } from './known-columns.ts'

/** A button with a box that says which columns there are, in which order, and how high rows are. */
export function ColumnsMenu(props: ColumnsMenuProps) {
  const [open, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Button
        icon={Columns3}
        buttonRef={anchor}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <span class={css.word}>{tableText.columnsButton}</span>
      </Button>
      <Popover open={open} onClose={() => setOpen(false)} anchor={anchor} side="end" label={tableText.columnsLabel}>
        <Choices {...props} />
      </Popover>
    </>
  )
}

const densities = (['compact', 'default', 'roomy'] as const).map((id) => ({ id, label: tableText.densities[id] }))

function Choices({ columns, isUsual, projectId, rootsOnly, onChange }: ColumnsMenuProps) {
  const hidden = offeredColumns.filter((id) => !columns.some((column) => column.id === id))
  return (
    <div class={css.box}>
      <div class={css.density}>
        <span>{tableText.density}</span>
        <Segments
          options={densities}
          current={preferences.value.density}
          onSelect={(density: Preferences['density']) => prefer({ density })}
          label={tableText.density}
        />
      </div>
      <ul class={css.list}>
        {columns.map((column, index) => (
          <Shown key={column.id} column={column} index={index} columns={columns} onChange={onChange} />
        ))}
        {hidden.map((id) => (
          <li key={id} class={css.item}>
            <Checkbox checked={false} onChange={() => onChange(shownToggled(columns, id))}>
              {columnById(id).label}
            </Checkbox>
          </li>
        ))}
      </ul>
      <FieldFinder columns={columns} projectId={projectId} rootsOnly={rootsOnly} onChange={onChange} />
      {!isUsual && (
        <Button kind="quiet" size="compact" onClick={() => onChange(undefined)}>
          {tableText.columnsReset}
        </Button>
      )}
    </div>
  )
}

function Shown({ column, index, columns, onChange }: ShownProps) {
  const { label } = columnById(column.id)
  return (
    <li class={css.item}>
      <Checkbox checked onChange={() => onChange(shownToggled(columns, column.id))} class={css.name}>
        <span class="cut">{label}</span>
      </Checkbox>
      <IconButton
        of={ArrowUp}
        size="compact"
        iconSize={14}
        label={tableText.moveUp(label)}
        disabled={index === 0}
        onClick={() => onChange(moved(columns, column.id, index - 1))}
      />
      <IconButton
        of={ArrowDown}
        size="compact"
        iconSize={14}
        label={tableText.moveDown(label)}
        disabled={index === columns.length - 1}
        onClick={() => onChange(moved(columns, column.id, index + 1))}
      />
      <IconButton
        of={column.isPinned ? PinOff : Pin}
        size="compact"
        iconSize={14}
        label={column.isPinned ? tableText.unpin(label) : tableText.pin(label)}
        pressed={column.isPinned}
        onClick={() => onChange(pinToggled(columns, column.id))}
      />
    </li>
  )
}

interface ShownProps {
  readonly column: Column
  readonly index: number
  readonly columns: readonly Column[]
  readonly onChange: (columns: readonly Column[]) => void
}

/** Finds fields in the data and adds them as columns. */
function FieldFinder({ columns, projectId, rootsOnly, onChange }: Omit<ColumnsMenuProps, 'isUsual'>) {
  const [prefix, setPrefix] = useState('')
  const read = useFields(projectId, rootsOnly)
  const fields = read?.fields
  const wanted = prefix.trim().toLowerCase()
  const found = (fields ?? []).filter(
    ({ path, types }) =>
      isPathColumn(path) &&
      types.some((type) => type !== 'object' && type !== 'array') &&
      path.toLowerCase().includes(wanted) &&
      !columns.some(({ id }) => id === path),
  )
  return (
    <div class={css.finder}>
      <Field
        label={tableText.addColumn}
        placeholder={tableText.findField}
        value={prefix}
        onInput={(event) => setPrefix(event.currentTarget.value)}
      />
      {fields !== undefined && found.length === 0 && wanted !== '' && <p class={css.none}>{tableText.noFields}</p>}
      <ul class={css.found}>
        {found.slice(0, foundMax).map(({ path, share }) => (
          <li key={path}>
            <button type="button" class={css.field} onClick={() => onChange(shownToggled(columns, path))}>
              <span class="cut mono">{path}</span>
              <span class={css.share}>{formatShare(share)}</span>
            </button>
          </li>
        ))}
      </ul>
      <SampleNote of={read} />
    </div>
  )
}

const foundMax = 40

interface ColumnsMenuProps {
  readonly columns: readonly Column[]
  readonly isUsual: boolean
  readonly projectId: string
  readonly rootsOnly: boolean
  /** Undefined for the usual columns. */
  readonly onChange: (columns: readonly Column[] | undefined) => void
}
