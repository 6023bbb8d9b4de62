import { signal } from '@preact/signals'
import { memberOf } from '../../lib/present.ts'
import { editableClasses, type Scorer } from './scorer.ts'

/** Unsaved changes of a scorer. */
export interface ScorerDraft {
  /** Digest of the version that they start from; undefined for a scorer that is not saved yet. */
  readonly startedFrom: string | undefined
  /** Digest of the version that was the latest one when they began. */
  readonly latest: string | undefined
  readonly scorer: Scorer
}

const keyOf = (projectId: string, name: string): string => `tracelake.scorer ${projectId} ${name}`

/** The unsaved changes that this browser keeps of a scorer. */
export function scorerDraft(projectId: string, name: string): ScorerDraft | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(projectId, name)) ?? 'null')
    return isDraft(kept) ? kept : undefined
  } catch {
    return undefined // No storage here, or a draft of another version of this page.
  }
}

const isDraft = (kept: unknown): kept is ScorerDraft => {
  const scorer = memberOf(kept, 'scorer')
  return (
    editableClasses.some((name) => name === memberOf(scorer, 'className')) && memberOf(scorer, 'fields') !== undefined
  )
}

/** Changes with the names of the scorers that have unsaved changes. */
const changes = signal(0)

/** Keeps unsaved changes, so that they survive a reload; undefined forgets them. */
export function keepScorerDraft(projectId: string, name: string, draft: ScorerDraft | undefined): void {
  const key = keyOf(projectId, name)
  try {
    const wasKept = localStorage.getItem(key) !== null
    if (draft === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(draft))
    if (wasKept !== (draft !== undefined)) changes.value++
  } catch {
    // Storage is unavailable or full: the changes then last as long as the page.
  }
}

/** The unsaved changes of a project by the name of the scorer; reading them subscribes. */
export function scorerDrafts(projectId: string): ReadonlyMap<string, ScorerDraft> {
  const prefix = keyOf(projectId, '')
  void changes.value
  try {
    const names = Object.keys(localStorage).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []))
    return new Map(
      names.flatMap((name) => {
        const draft = scorerDraft(projectId, name)
        return draft === undefined ? [] : [[name, draft] as const]
      }),
    )
  } catch {
    return new Map()
  }
}
