import { post } from '../api/client.ts'

/** The id of a saved object: its kind and what its name says in letters and digits. */
export function objectIdOf(kind: string, label: string): string {
  const name = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `${kind}-${name || 'view'}`
}

/** The id, or the first one with a number after it that is not taken. */
export function freeId(id: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? id : `${id}-${number}`
    if (!taken.has(free)) return free
  }
}

/** Deletes a saved object with all its versions. @throws {Problem} */
export const deleteSaved = (projectId: string, id: string): Promise<unknown> =>
  post('/obj/delete', { project_id: projectId, object_id: id })
