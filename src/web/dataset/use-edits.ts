import { useEffect, useRef, useState } from 'preact/hooks'
import { Problem } from '../api/client.ts'
import { showError } from '../state/toasts.ts'
import { type ObjectVersion, readObjectsAgain } from '../versions/objects.ts'
import { type DatasetVersion, saveEdits } from './datasets.ts'
import { type Edits, isEmpty, noEdits } from './edits.ts'

/** Unsaved changes of a dataset. */
export interface DatasetDraft {
  /** Digest of the version that they start from. */
  readonly startedFrom: string
  /** Digest of the version that was the latest one when they began. */
  readonly latest: string
  readonly edits: Edits
}

const keepMs = 250
const undoneMax = 200

const keyOf = (projectId: string, name: string): string => `tracelake.dataset ${projectId} ${name}`

function keptDraft(projectId: string, name: string): DatasetDraft | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(projectId, name)) ?? 'null')
    return isDraft(kept) ? kept : undefined
  } catch {
    return undefined // No storage here, or a draft of another version of this page.
  }
}

const isDraft = (kept: unknown): kept is DatasetDraft =>
  typeof kept === 'object' && kept !== null && 'startedFrom' in kept && 'latest' in kept && 'edits' in kept

interface EditsOptions {
  readonly projectId: string
  readonly name: string
  /** The version that is shown. */
  readonly base: ObjectVersion | undefined
  /** The latest version now. */
  readonly latest: ObjectVersion | undefined
  /** Tables of the versions, by digest. */
  readonly tables: ReadonlyMap<string, DatasetVersion> | undefined
}

/** Unsaved changes of a dataset, kept in this browser; each step can be undone. */
export function useEdits({ projectId, name, base, latest, tables }: EditsOptions) {
  const [draft, setDraft] = useState<DatasetDraft | undefined>(() => keptDraft(projectId, name))
  const [busy, setBusy] = useState(false)
  const [isKept, setKept] = useState(true)
  const steps = useRef<{ readonly past: Edits[]; readonly future: Edits[] }>({ past: [], future: [] })
  const current = useRef(draft)
  const pending = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const keepNow = () => {
    clearTimeout(pending.current)
    try {
      if (current.current === undefined) localStorage.removeItem(keyOf(projectId, name))
      else localStorage.setItem(keyOf(projectId, name), JSON.stringify(current.current))
      setKept(true)
    } catch {
      setKept(false) // No storage, or no room in it: the page says so.
    }
  }
  useEffect(() => {
    addEventListener('pagehide', keepNow)
    return () => {
      removeEventListener('pagehide', keepNow)
      keepNow()
    }
  }, [projectId, name])
  const put = (next: DatasetDraft | undefined) => {
    current.current = next
    setDraft(next)
    clearTimeout(pending.current)
    pending.current = setTimeout(keepNow, keepMs)
  }
  const putEdits = (edits: Edits) => {
    const from = current.current ?? (base && latest && { startedFrom: base.digest, latest: latest.digest })
    if (from) put(isEmpty(edits) && edits.columns.length === 0 ? undefined : { ...from, edits })
  }
  const change = (edits: Edits) => {
    const before = current.current?.edits ?? noEdits
    if (edits === before) return
    steps.current = { past: [...steps.current.past.slice(1 - undoneMax), before], future: [] }
    putEdits(edits)
  }
  const undo = () => {
    const { past, future } = steps.current
    const before = past.at(-1)
    if (before === undefined) return
    steps.current = { past: past.slice(0, -1), future: [...future, current.current?.edits ?? noEdits] }
    putEdits(before)
  }
  const redo = () => {
    const { past, future } = steps.current
    const next = future.at(-1)
    if (next === undefined) return
    steps.current = { past: [...past, current.current?.edits ?? noEdits], future: future.slice(0, -1) }
    putEdits(next)
  }
  const forget = () => {
    steps.current = { past: [], future: [] }
    put(undefined)
    keepNow()
  }
  /** Stores the changes as a version. @returns its digest; undefined if another one came first */
  const save = async (overLatest = false): Promise<string | undefined> => {
    const from = draft && tables?.get(draft.startedFrom)
    if (draft === undefined || from === undefined || busy) return undefined
    setBusy(true)
    try {
      const expected = overLatest ? latest?.digest : draft.latest
      const digest = await saveEdits({ projectId, name, base: from, edits: draft.edits, latest: expected })
      forget()
      return digest
    } catch (error) {
      // The page says what came first once the versions are read again.
      if (!(error instanceof Problem && error.type === 'VersionConflict')) showError(error)
      return undefined
    } finally {
      await readObjectsAgain(projectId)
      setBusy(false)
    }
  }
  return {
    draft,
    edits: draft?.edits ?? noEdits,
    busy,
    isKept,
    canUndo: steps.current.past.length > 0,
    canRedo: steps.current.future.length > 0,
    change,
    undo,
    redo,
    forget,
    save,
    /** Puts discarded changes back. */
    restore: (kept: DatasetDraft) => {
      put(kept)
      keepNow()
    },
  }
}
