import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { Erasure, ProjectErase } from '../model/retention.ts'
import type { RetentionServices } from './services.ts'
import { shownErasure } from './shown-erasure.ts'

export const eraseProjectRoute = {
  body: ProjectErase,
  response: { 200: Erasure },
  detail: {
    operationId: 'projects.erase',
    summary: 'Erase a project',
    description:
      'Removes everything that the project contains from all files of the data folder. The project reads as empty ' +
      'at once, and refuses writes with 503 until the erasure has finished; then it can be used anew. It cannot be ' +
      'undone. Requires an admin key.',
    tags: ['Retention'],
  },
}

export async function eraseProject(
  { erasures, erasedWithinMs }: RetentionServices,
  caller: Caller,
  { project_id }: Static<typeof ProjectErase>,
): Promise<Erasure> {
  return shownErasure(await erasures.begin(caller.administer(project_id), caller.userName), erasedWithinMs)
}
