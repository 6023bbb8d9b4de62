import { useEffect, useState } from 'preact/hooks'
import { createKey, type KeyRecord, keysQuery } from '../../api/keys.ts'
import { queries } from '../../state/query-signal.ts'
import { isAdmin } from '../../state/session.ts'
import { forgetSnippetKeys, keepSnippetKey, snippetKeyOf } from '../../state/snippet-keys.ts'
import { showError } from '../../state/undo.ts'

/** The key in the snippets of a project. */
export interface SnippetKey {
  /** Undefined if there is none, or none that this tab knows. */
  readonly value: string | undefined
  readonly isBusy: boolean
  /** Creates a key and puts it into the snippets. Only admins can. */
  readonly make: () => Promise<void>
}

/**
 * The key that an admin puts into the snippets: one of the project's own, kept for this tab. The
 * first visit to an empty project makes it unasked; later ones do not make a second one.
 */
export function useSnippetKey(projectId: string, isEmpty: boolean): SnippetKey {
  const [value, setValue] = useState(() => snippetKeyOf(projectId))
  const [isBusy, setBusy] = useState(false)
  const name = `snippet-${projectId.replace('/', '-')}`
  const make = async (): Promise<void> => {
    setBusy(true)
    try {
      const { key } = await createKey({ name, role: 'write', scope: projectId })
      keepSnippetKey(projectId, key)
      setValue(key)
      void queries.invalidateQueries({ queryKey: keysQuery.queryKey })
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  const check = async (): Promise<void> => {
    const { keys } = await queries.fetchQuery(keysQuery)
    if (value === undefined) {
      if (!keys.some((key) => key.name === name)) await make()
    } else if (!keys.some((key) => isOf(value, key))) {
      forgetSnippetKeys(projectId)
      setValue(undefined)
    }
  }
  useEffect(() => {
    if (isAdmin.value && (isEmpty || value !== undefined)) check().catch(showError)
  }, [isEmpty])
  return { value, isBusy, make }
}

/** Whether a key belongs to a record and is still valid. Keys begin with their id. */
const isOf = (key: string, { id, revoked_at }: KeyRecord): boolean => revoked_at === null && key.startsWith(id)
