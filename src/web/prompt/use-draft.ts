import { useEffect, useRef, useState } from 'preact/hooks'
import { Problem } from '../api/client.ts'
import { showError } from '../state/toasts.ts'
import { type ObjectVersion, readObjectsAgain, saveVersion } from '../versions/objects.ts'
import { type Draft, draftOf, isSame, keepDraft } from './drafts.ts'
import { contentOf, type Prompt } from './prompt.ts'

const keepMs = 250

interface DraftOptions {
  readonly projectId: string
  readonly name: string
  /** The version that is shown, and its content. */
  readonly base: ObjectVersion | undefined
  readonly basePrompt: Prompt | undefined
  /** The latest version now. */
  readonly latest: ObjectVersion | undefined
}

/** Unsaved changes of a prompt: kept in this browser until they are saved or discarded. */
export function useDraft({ projectId, name, base, basePrompt, latest }: DraftOptions) {
  const [draft, setDraft] = useState<Draft | undefined>(() => draftOf(projectId, name))
  const [busy, setBusy] = useState(false)
  const pending = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const current = useRef(draft)
  current.current = draft
  const keepNow = () => {
    clearTimeout(pending.current)
    keepDraft(projectId, name, current.current)
  }
  useEffect(() => {
    addEventListener('pagehide', keepNow)
    return () => {
      removeEventListener('pagehide', keepNow)
      keepNow()
    }
  }, [projectId, name])
  const put = (next: Draft | undefined) => {
    current.current = next
    setDraft(next)
    clearTimeout(pending.current)
    pending.current = setTimeout(keepNow, keepMs)
  }
  const change = (prompt: Prompt) => {
    const from = draft ?? { startedFrom: base?.digest, latest: latest?.digest }
    const isBack = from.startedFrom === base?.digest && basePrompt !== undefined && isSame(prompt, basePrompt)
    put(isBack && prompt.description === '' ? undefined : { ...from, prompt })
  }
  /** Stores the changes as a version. @returns its digest; undefined if another one came first */
  const save = async (overLatest = false): Promise<string | undefined> => {
    if (draft === undefined || busy) return undefined
    setBusy(true)
    try {
      const startedFrom = overLatest ? latest?.digest : draft.latest
      const { digest } = await saveVersion(projectId, name, contentOf(draft.prompt), startedFrom)
      put(undefined)
      keepNow()
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
  const discard = () => {
    put(undefined)
    keepNow()
  }
  /** Puts discarded changes back. */
  const restore = (kept: Draft) => {
    put(kept)
    keepNow()
  }
  return { draft, busy, change, save, discard, restore }
}
