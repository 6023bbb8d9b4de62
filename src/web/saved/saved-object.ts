import { post } from '../api/client.ts'

/** The id of a saved object: its kind and what its name says in letters and digits. */
export function objectIdOf(kind: string, label: string): string {
  const name = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `${kind}-${name || 'view'}`
}

/** Deletes a saved object with all its versions. @throws {Problem} */
export const deleteSaved = (projectId: string, id: string): Promise<unknown> =>
  post('/obj/delete', { project_id: projectId, object_id: id })
