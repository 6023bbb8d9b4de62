import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { limits } from '../../limits.ts'
import { Erasures, ErasuresRequest } from '../../model/retention.ts'
import type { Services } from '../../services.ts'
import { shownErasure } from './shown-erasure.ts'

export const queryErasuresRoute = {
  body: ErasuresRequest,
  response: { 200: Erasures },
  detail: {
    operationId: 'erasures.query',
    readOnly: true,
    summary: 'List erasures of projects',
    description: 'Those of one project, or of all. Requires an admin key that reaches them.',
    tags: ['Retention'],
  },
}

export async function queryErasures(
  { erasures, erasedWithinMs }: Services,
  caller: Caller,
  { project_id, limit }: Static<typeof ErasuresRequest>,
): Promise<Static<typeof Erasures>> {
  if (project_id === null || project_id === undefined) caller.requireOperator()
  else caller.administer(project_id)
  const projectId = project_id ?? undefined
  const found = await erasures.list({ projectId, limit: limit ?? limits.jobsListedDefault })
  return { erasures: found.map((erasure) => shownErasure(erasure, erasedWithinMs)) }
}
