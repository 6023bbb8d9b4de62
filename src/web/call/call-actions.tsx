import { Columns2, ListPlus, Play, Share2, Table2, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { MenuButton } from '../components/overlays/menu-button.tsx'
import { lazyPart } from '../components/states/lazy-part.tsx'
import { collectPath } from '../state/collected-calls.ts'
import { useKeys } from '../state/keys.ts'
import { navigate } from '../state/location.ts'
import { playgroundPath, viewPath } from '../state/paths.ts'
import { deleteLater } from '../state/pending-deletes.ts'
import { queries } from '../state/query-signal.ts'
import { list } from '../state/search-text.ts'
import { canWrite } from '../state/session.ts'
import { bulkText } from '../text/bulk.ts'
import { callText } from '../text/trace/call.ts'

const ShareDialog = lazyPart(() => import('../share/share-dialog.tsx'), { loading: () => null })
const QueueDialog = lazyPart(() => import('../bulk/queue-dialog.tsx'), { loading: () => null })

interface CallActionsProps {
  readonly projectId: string
  readonly traceId: string
  readonly callId: string
  readonly name: string
  /** Whether there is a conversation that the playground can continue. */
  readonly hasChat: boolean
  /** Call to compare with: the one of the same op that the trace has besides. */
  readonly otherId: string | undefined
  readonly isRoot: boolean
}

/** What can be done with a call: a menu, and its keys. */
export default function CallActions({ projectId, traceId, callId, name, hasChat, otherId, isRoot }: CallActionsProps) {
  const [dialog, setDialog] = useState<'queue' | 'share'>()
  const writes = canWrite.value
  const close = () => setDialog(undefined)
  const collect = () => navigate(collectPath(projectId, [callId]))
  const tryIt = () => navigate(playgroundPath(projectId, { call: callId }))
  const compare = () => {
    if (otherId === undefined) return
    const search = new URLSearchParams({ ids: list().write([otherId, callId]) })
    navigate(viewPath(projectId, 'compare', `?${search}`))
  }
  const remove = () => {
    deleteLater(
      projectId,
      [callId],
      name,
      () => void queries.invalidateQueries({ queryKey: ['trace', projectId, traceId] }),
    )
    if (isRoot) navigate(viewPath(projectId, 'traces'))
  }
  useKeys([
    ...(hasChat ? [{ keys: 'p', does: callText.openPlayground, run: tryIt }] : []),
    ...(otherId === undefined ? [] : [{ keys: 'Shift+C', does: callText.compare, run: compare }]),
    { keys: 'Shift+S', does: callText.share, run: () => setDialog('share') },
    ...(writes
      ? [
          { keys: 'd', does: bulkText.dataset.title(1), run: collect },
          { keys: 'q', does: bulkText.queue.title(1), run: () => setDialog('queue' as const) },
          { keys: 'Shift+Backspace', does: callText.deleteCall, run: remove },
        ]
      : []),
  ])
  return (
    <>
      <MenuButton
        label={callText.actions}
        size="compact"
        side="end"
        items={[
          { label: callText.openPlayground, icon: Play, hint: 'P', disabled: !hasChat, run: tryIt },
          { label: callText.compare, icon: Columns2, hint: '⇧C', disabled: otherId === undefined, run: compare },
          { label: callText.share, icon: Share2, hint: '⇧S', run: () => setDialog('share') },
          ...(writes
            ? [
                { label: bulkText.dataset.title(1), icon: Table2, hint: 'D', run: collect },
                { label: bulkText.queue.title(1), icon: ListPlus, hint: 'Q', run: () => setDialog('queue') },
                {
                  label: callText.deleteCall,
                  icon: Trash2,
                  hint: '⇧⌫',
                  danger: true,
                  separator: true,
                  run: remove,
                },
              ]
            : []),
        ]}
      />
      {dialog === 'share' && <ShareDialog projectId={projectId} traceId={traceId} onClose={close} />}
      {dialog === 'queue' && <QueueDialog projectId={projectId} ids={[callId]} onClose={close} />}
    </>
  )
}
