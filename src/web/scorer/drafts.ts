import { memberOf } from '../../lib/present.ts'
import { Drafts } from '../versions/drafts.ts'
import { editableClasses, type Scorer } from './scorer.ts'

/** Unsaved changes of a scorer. */
export interface ScorerDraft {
  /** Digest of the version that they start from; undefined for a scorer that is not saved yet. */
  readonly startedFrom: string | undefined
  /** Digest of the version that was the latest one when they began. */
  readonly latest: string | undefined
  readonly scorer: Scorer
}

const isDraft = (kept: unknown): kept is ScorerDraft => {
  const scorer = memberOf(kept, 'scorer')
  return (
    editableClasses.some((name) => name === memberOf(scorer, 'className')) && memberOf(scorer, 'fields') !== undefined
  )
}

/** The unsaved changes of scorers. */
export const scorerDrafts = new Drafts<ScorerDraft>({
  prefix: 'tracelake.scorer',
  read: (kept) => (isDraft(kept) ? kept : undefined),
})

/** The unsaved changes of a project by the name of the scorer; reading them subscribes. */
export const scorerDraftsOf = (projectId: string): ReadonlyMap<string, ScorerDraft> =>
  new Map(
    scorerDrafts.names(projectId).flatMap((name) => {
      const draft = scorerDrafts.find(projectId, name)
      return draft === undefined ? [] : [[name, draft] as const]
    }),
  )
