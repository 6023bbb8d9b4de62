import { Columns2, Download, Gauge, ListPlus, Table2, Trash2, X } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { Button, IconButton } from '../components/controls/button.tsx'
import { Menu } from '../components/overlays/menu.tsx'
import { lazyPart } from '../components/states/lazy-part.tsx'
import { formatCount } from '../format/number.ts'
import { collectPath } from '../state/collected-calls.ts'
import { useKeys } from '../state/keys.ts'
import { navigate } from '../state/location.ts'
import { viewPath } from '../state/paths.ts'
import { list } from '../state/search-text.ts'
import { canWrite } from '../state/session.ts'
import { showError, showToast } from '../state/toasts.ts'
import { bulkText } from '../text/bulk.ts'
import css from './bulk-bar.module.css'
import { exportCalls, exportFormats } from './export-formats.ts'
import { ScoreDialog } from './score-dialog.tsx'

const QueueDialog = lazyPart(() => import('./queue-dialog.tsx'), { loading: () => null })

const comparedMax = 4

/** Actions on the checked rows. A read-only key sees no control that writes. */
export function BulkBar({ projectId, ids, onClear, onDelete, comparable }: BulkBarProps) {
  const [dialog, setDialog] = useState<'queue' | 'score'>()
  const [exports, setExports] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  const writes = canWrite.value
  const canCompare = comparable.length >= 2 && comparable.length <= comparedMax
  const collect = () => navigate(collectPath(projectId, ids))
  const compare = (): void => {
    if (!canCompare) {
      showToast({ kind: 'news', text: bulkText.compareSome })
      return
    }
    const ids = list().write(comparable)
    navigate(viewPath(projectId, 'compare', `?${new URLSearchParams({ ids })}`))
  }
  useKeys([
    { keys: 'c', does: bulkText.compare, run: compare },
    { keys: 'Escape', does: bulkText.clear, run: onClear },
    ...(writes
      ? [
          { keys: 'q', does: bulkText.queue.title(ids.length), run: () => setDialog('queue' as const) },
          { keys: 'd', does: bulkText.dataset.title(ids.length), run: collect },
          { keys: 's', does: bulkText.score.title(ids.length), run: () => setDialog('score' as const) },
        ]
      : []),
  ])
  return (
    <div class={css.bar} role="toolbar" aria-label={bulkText.label}>
      <span class={css.count} role="status">
        {bulkText.selected(formatCount(ids.length))}
      </span>
      <span class={css.line} />
      {writes && (
        <>
          <Button kind="quiet" icon={ListPlus} hint="Q" onClick={() => setDialog('queue')}>
            {bulkText.queue.word}
          </Button>
          <Button kind="quiet" icon={Table2} hint="D" onClick={collect}>
            {bulkText.dataset.word}
          </Button>
          <Button kind="quiet" icon={Gauge} hint="S" onClick={() => setDialog('score')}>
            {bulkText.score.word}
          </Button>
        </>
      )}
      <Button kind="quiet" icon={Columns2} hint="C" disabled={!canCompare} onClick={compare}>
        {bulkText.compare}
      </Button>
      <Button
        kind="quiet"
        icon={Download}
        buttonRef={anchor}
        aria-haspopup="menu"
        aria-expanded={exports}
        onClick={() => setExports(!exports)}
      >
        {bulkText.export}
      </Button>
      {writes && (
        <>
          <span class={css.line} />
          <Button kind="quiet" icon={Trash2} class={css.delete} onClick={onDelete}>
            {bulkText.delete}
          </Button>
        </>
      )}
      <span class={css.line} />
      <IconButton of={X} label={bulkText.clear} hint="esc" onClick={onClear} />
      <Menu
        open={exports}
        onClose={() => setExports(false)}
        anchor={anchor}
        label={bulkText.export}
        items={exportFormats.map((format) => ({
          label: format.label,
          run: () => void exportCalls({ project_id: projectId, filter: { call_ids: ids } }, format).catch(showError),
        }))}
      />
      {dialog === 'score' && <ScoreDialog projectId={projectId} ids={ids} onClose={() => setDialog(undefined)} />}
      {dialog === 'queue' && <QueueDialog projectId={projectId} ids={ids} onClose={() => setDialog(undefined)} />}
    </div>
  )
}

interface BulkBarProps {
  readonly projectId: string
  /** Calls that are checked. */
  readonly ids: readonly string[]
  /** Kind of the compared rows: traces or calls. */
  readonly comparable: readonly string[]
  readonly onClear: () => void
  readonly onDelete: () => void
}
