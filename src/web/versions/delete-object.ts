import { hiddenIds, removeLater } from '../state/pending-deletes.ts'
import { versionText } from '../text/version.ts'
import { type ObjectVersion, readObjectsAgain } from './objects.ts'
import { production } from './tag.tsx'

/** Versions that one request may name. */
const namedVersionsMax = 100

/** Another object of the same name is another one: it was stored at another time. */
type Stored = Pick<ObjectVersion, 'object_id' | 'created_at'>

const keyOf = (projectId: string, { object_id: name, created_at: time }: Stored): string =>
  `object ${projectId} ${name} ${time}`

/** Whether an object is deleted once undo is no longer offered. @param latest its latest version */
export const isLeaving = (projectId: string, latest: Stored): boolean => hiddenIds.value.has(keyOf(projectId, latest))

interface DeletionOptions {
  /** What is said meanwhile, if that is more than its name. */
  readonly text?: string
  /** Runs once it is deleted. */
  readonly removed?: () => void
}

/**
 * Deletes an object ten seconds from now, unless it is undone. A version that somebody stores until
 * then stays.
 *
 * @param versions all of the object, as the person has seen them
 */
export function deleteObjectLater(
  projectId: string,
  name: string,
  versions: readonly ObjectVersion[],
  { text, removed }: DeletionOptions = {},
): void {
  const hasProduction = versions.some(({ aliases }) => aliases?.includes(production))
  removeLater({
    ids: versions.map((version) => keyOf(projectId, version)),
    text: text ?? versionText.deleted(name, hasProduction),
    method: 'POST',
    path: '/obj/delete',
    body: {
      project_id: projectId,
      object_id: name,
      ...(versions.length <= namedVersionsMax && { digests: versions.map(({ digest }) => digest) }),
    },
    removed: () => {
      removed?.()
      void readObjectsAgain(projectId)
    },
  })
}
