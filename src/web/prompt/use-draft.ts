import { useState } from 'preact/hooks'
import { Problem } from '../api/client.ts'
import { showError } from '../state/toasts.ts'
import { type ObjectVersion, readObjectsAgain, saveVersion } from '../versions/objects.ts'
import { useKeptDraft } from '../versions/use-kept-draft.ts'
import { type Draft, isSame, promptDrafts } from './drafts.ts'
import { contentOf, type Prompt } from './prompt.ts'

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
  const { draft, put } = useKeptDraft(promptDrafts, projectId, name)
  const [busy, setBusy] = useState(false)
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
      put(undefined, true)
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
  const discard = () => put(undefined, true)
  /** Puts discarded changes back. */
  const restore = (kept: Draft) => put(kept, true)
  return { draft, busy, change, save, discard, restore }
}
