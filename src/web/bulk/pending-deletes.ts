import { signal } from '@preact/signals'
import { apiUrl, post } from '../api/client.ts'
import { offerUndo, showError } from '../state/toasts.ts'
import { bulkText } from '../text/bulk.ts'

const undoMs = 10_000

interface Pending {
  readonly projectId: string
  readonly ids: readonly string[]
  readonly timer: ReturnType<typeof setTimeout>
}

const waiting = new Set<Pending>()

/** Calls that tables no longer show: they are deleted once undo is no longer offered. */
export const hiddenIds = signal<ReadonlySet<string>>(new Set())

/** Deletes calls with what is below them, ten seconds from now, unless it is undone. */
export function deleteLater(projectId: string, ids: readonly string[], noun: string, deleted: () => void): void {
  const pending: Pending = { projectId, ids, timer: setTimeout(() => void carryOut(pending, deleted), undoMs) }
  waiting.add(pending)
  hiddenIds.value = new Set([...hiddenIds.peek(), ...ids])
  offerUndo({
    text: bulkText.deleted(noun),
    undo: () => {
      clearTimeout(pending.timer)
      waiting.delete(pending)
      reveal(ids)
    },
  })
}

async function carryOut(pending: Pending, deleted: () => void): Promise<void> {
  waiting.delete(pending)
  try {
    await post('/calls/delete', bodyOf(pending))
    deleted()
  } catch (error) {
    reveal(pending.ids)
    showError(error)
  }
}

const bodyOf = ({ projectId, ids }: Pending) => ({ project_id: projectId, call_ids: ids })

function reveal(ids: readonly string[]): void {
  const next = new Set(hiddenIds.peek())
  for (const id of ids) next.delete(id)
  hiddenIds.value = next
}

// Closing the window does not undo a deletion.
addEventListener('pagehide', () => {
  for (const pending of waiting) {
    clearTimeout(pending.timer)
    void fetch(apiUrl('/calls/delete'), {
      method: 'POST',
      keepalive: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(pending)),
    })
  }
  waiting.clear()
})
