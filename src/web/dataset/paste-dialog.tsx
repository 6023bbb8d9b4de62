import { useMemo, useState } from 'preact/hooks'
import { ownValue } from '../../lib/present.ts'
import { Button } from '../components/controls/button.tsx'
import { Checkbox } from '../components/controls/checkbox.tsx'
import { classNames } from '../components/display/class-names.ts'
import { Dialog } from '../components/overlays/dialog.tsx'
import { datasetText } from '../text/dataset.ts'
import { partsText } from '../text/parts.ts'
import { type Column, typedOf } from './cells.ts'
import type { EditedCell } from './edits.ts'
import { hasHead, type PastePlan, planPaste } from './paste.ts'
import css from './preview-table.module.css'

const rowsShown = 50
/** A draft holds pasted rows, and browsers keep some 5 MB of it. */
const rowsMax = 5_000

interface PasteDialogProps {
  readonly cells: readonly (readonly string[])[]
  readonly columns: readonly Column[]
  /** Index of the column that the first pasted one goes into. */
  readonly from: number
  /** Name of the row that the new ones follow. */
  readonly after: string
  readonly onPaste: (plan: PastePlan) => void
  readonly onClose: () => void
}

/** What a paste would add, before it does. */
export default function PasteDialog({ cells, columns, from, after, onPaste, onClose }: PasteDialogProps) {
  const names = columns.map(({ name }) => name)
  const [withHead, setWithHead] = useState(() => hasHead(cells, names) || columns.length === 0)
  const plan = useMemo(() => planPaste(cells, columns, { from, withHead }), [cells, columns, from, withHead])
  const isLong = plan.rows.length > rowsMax
  const canPaste = plan.rows.length > 0 && !isLong && plan.columns.some((name) => name !== undefined)
  return (
    <Dialog
      open
      onClose={onClose}
      title={datasetText.pasteTitle(plan.rows.length)}
      class={css.dialog}
      foot={
        <>
          <Button hint="esc" onClick={onClose}>
            {partsText.cancel}
          </Button>
          <Button kind="primary" autofocus disabled={!canPaste} onClick={() => onPaste(plan)}>
            {datasetText.pasteVerb(plan.rows.length)}
          </Button>
        </>
      }
    >
      <p>{datasetText.pasteInto(after)}</p>
      <div
        class={classNames(css.box, css.framed)}
        tabIndex={0}
        role="region"
        aria-label={datasetText.pasteTitle(plan.rows.length)}
      >
        <table>
          <thead>
            <tr>
              {plan.columns.map((name, at) => (
                <th key={at} scope="col" class={name === undefined ? css.out : undefined}>
                  {name ?? datasetText.pasteLeftOut}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {plan.rows.slice(0, rowsShown).map((row, index) => (
              <tr key={index}>
                {plan.columns.map((name, at) => {
                  const cell = name === undefined ? undefined : ownValue(row, name)
                  const left = cells[index + (withHead ? 1 : 0)]?.[at]
                  return (
                    <td
                      key={at}
                      dir="auto"
                      class={classNames(name === undefined && css.out, cell && 'fault' in cell && css.fault)}
                      data-tip={cell && 'fault' in cell ? cell.fault : undefined}
                    >
                      {cell === undefined ? left : shownCell(cell)}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Checkbox checked={withHead} onChange={setWithHead}>
        {datasetText.pasteHead}
      </Checkbox>
      {plan.rows.length > rowsShown && <p class={css.note}>{datasetText.pasteMore(plan.rows.length - rowsShown)}</p>}
      {plan.newColumns.length > 0 && <p class={css.note}>{datasetText.pasteNew(plan.newColumns)}</p>}
      {plan.faults > 0 && <p class={classNames(css.note, css.warn)}>{datasetText.pasteFaults(plan.faults)}</p>}
      {isLong && <p class={classNames(css.note, css.warn)}>{datasetText.pasteLong(rowsMax)}</p>}
    </Dialog>
  )
}

const shownCell = (cell: EditedCell): string =>
  'typed' in cell ? cell.typed : cell.json === null ? datasetText.empty : typedOf(cell.json)
