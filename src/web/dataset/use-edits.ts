import { useRef, useState } from 'preact/hooks'
import { Problem } from '../api/client.ts'
import { showError } from '../state/toasts.ts'
import { Drafts } from '../versions/drafts.ts'
import { type ObjectVersion, readObjectsAgain } from '../versions/objects.ts'
import { useKeptDraft } from '../versions/use-kept-draft.ts'
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

const undoneMax = 200

const isDraft = (kept: unknown): kept is DatasetDraft =>
  typeof kept === 'object' && kept !== null && 'startedFrom' in kept && 'latest' in kept && 'edits' in kept

const datasetDrafts = new Drafts<DatasetDraft>({
  prefix: 'tracelake.dataset',
  read: (kept) => (isDraft(kept) ? kept : undefined),
})

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
  const { draft, now, isKept, put } = useKeptDraft(datasetDrafts, projectId, name)
  const [busy, setBusy] = useState(false)
  const steps = useRef<{ readonly past: Edits[]; readonly future: Edits[] }>({ past: [], future: [] })
  const putEdits = (edits: Edits) => {
    const from = now() ?? (base && latest && { startedFrom: base.digest, latest: latest.digest })
    if (from) put(isEmpty(edits) && edits.columns.length === 0 ? undefined : { ...from, edits })
  }
  const change = (edits: Edits) => {
    const before = now()?.edits ?? noEdits
    if (edits === before) return
    steps.current = { past: [...steps.current.past.slice(1 - undoneMax), before], future: [] }
    putEdits(edits)
  }
  const undo = () => {
    const { past, future } = steps.current
    const before = past.at(-1)
    if (before === undefined) return
    steps.current = { past: past.slice(0, -1), future: [...future, now()?.edits ?? noEdits] }
    putEdits(before)
  }
  const redo = () => {
    const { past, future } = steps.current
    const next = future.at(-1)
    if (next === undefined) return
    steps.current = { past: [...past, now()?.edits ?? noEdits], future: future.slice(0, -1) }
    putEdits(next)
  }
  const forget = () => {
    steps.current = { past: [], future: [] }
    put(undefined, true)
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
    restore: (kept: DatasetDraft) => put(kept, true),
  }
}
