import { signal } from '@preact/signals'
import { apiUrl } from '../api/api-request.ts'
import { send } from '../api/client.ts'
import { bulkText } from '../text/bulk.ts'
import { offerUndo, showError } from './toasts.ts'

const undoMs = 10_000

/** What is taken away once undo is no longer offered. */
interface Removal {
  readonly ids: readonly string[]
  /** What is said meanwhile: `3 traces deleted`. */
  readonly text: string
  readonly method: 'POST' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly removed: () => void
}

interface Pending extends Removal {
  readonly timer: ReturnType<typeof setTimeout>
}

const waiting = new Set<Pending>()

/** Ids of what lists no longer show: it is deleted once undo is no longer offered. */
export const hiddenIds = signal<ReadonlySet<string>>(new Set())

/** Hides what has these ids, and removes it ten seconds from now, unless that is undone. */
export function removeLater(removal: Removal): void {
  const pending: Pending = { ...removal, timer: setTimeout(() => void carryOut(pending), undoMs) }
  waiting.add(pending)
  hiddenIds.value = new Set([...hiddenIds.peek(), ...removal.ids])
  offerUndo({
    text: removal.text,
    undo: () => {
      clearTimeout(pending.timer)
      waiting.delete(pending)
      reveal(removal.ids)
    },
  })
}

/** Deletes calls with what is below them, ten seconds from now, unless it is undone. */
export const deleteLater = (projectId: string, ids: readonly string[], noun: string, removed: () => void): void =>
  removeLater({
    ids,
    text: bulkText.deleted(noun),
    method: 'POST',
    path: '/calls/delete',
    body: { project_id: projectId, call_ids: ids },
    removed,
  })

async function carryOut(pending: Pending): Promise<void> {
  waiting.delete(pending)
  try {
    await send(apiUrl(pending.path), requestOf(pending))
    pending.removed()
  } catch (error) {
    reveal(pending.ids)
    showError(error)
  }
}

const requestOf = ({ method, body }: Removal): RequestInit => ({
  method,
  ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
})

function reveal(ids: readonly string[]): void {
  const next = new Set(hiddenIds.peek())
  for (const id of ids) next.delete(id)
  hiddenIds.value = next
}

// Closing the window does not undo a deletion.
addEventListener('pagehide', () => {
  for (const pending of waiting) {
    clearTimeout(pending.timer)
    void fetch(apiUrl(pending.path), { ...requestOf(pending), keepalive: true })
  }
  waiting.clear()
})
