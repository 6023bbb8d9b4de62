import { Copy, CopyPlus, Trash2, X } from 'lucide'
import { Button, IconButton } from '../components/controls/button.tsx'
import { datasetText } from '../text/dataset.ts'
import css from './bulk-bar.module.css'

interface SelectionBarProps {
  readonly count: number
  readonly isReadOnly: boolean
  readonly onDuplicate: () => void
  readonly onCopy: () => void
  readonly onDelete: () => void
  readonly onClear: () => void
}

/** What can be done with the checked rows. A key that only reads can copy them. */
export const SelectionBar = ({ count, isReadOnly, onDuplicate, onCopy, onDelete, onClear }: SelectionBarProps) => (
  <div class={css.bar} role="toolbar" aria-label={datasetText.selection}>
    <span class={css.count} role="status">
      {datasetText.selected(count)}
    </span>
    <span class={css.line} />
    {!isReadOnly && (
      <Button kind="quiet" icon={CopyPlus} hint="D" onClick={onDuplicate}>
        {datasetText.duplicate}
      </Button>
    )}
    <Button kind="quiet" icon={Copy} hint="⌘C" onClick={onCopy}>
      {datasetText.copy}
    </Button>
    {!isReadOnly && (
      <>
        <span class={css.line} />
        <Button kind="quiet" icon={Trash2} class={css.delete} hint="⌫" onClick={onDelete}>
          {datasetText.delete}
        </Button>
      </>
    )}
    <span class={css.line} />
    <IconButton of={X} label={datasetText.clearSelection} hint="esc" onClick={onClear} />
  </div>
)
