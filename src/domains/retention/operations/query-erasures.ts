import type { Static } from '@sinclair/typebox'
import { limits } from '../../../lib/limits.ts'
import type { Caller } from '../../access/caller.ts'
import { ErasureList, ErasuresRequest } from '../model/retention.ts'
import type { RetentionServices } from './services.ts'
import { shownErasure } from './shown-erasure.ts'

export const queryErasuresRoute = {
  body: ErasuresRequest,
  response: { 200: ErasureList },
  detail: {
    operationId: 'erasures.query',
    readOnly: true,
    summary: 'List erasures of projects',
    description: 'Those of one project, or of all. Requires an admin key that reaches them.',
    tags: ['Retention'],
  },
}

export async function queryErasures(
  { erasures, erasedWithinMs }: RetentionServices,
  caller: Caller,
  { project_id, limit }: Static<typeof ErasuresRequest>,
): Promise<Static<typeof ErasureList>> {
  if (project_id === null || project_id === undefined) caller.requireOperator()
  else caller.administer(project_id)
  const projectId = project_id ?? undefined
  const found = await erasures.list({ projectId, limit: limit ?? limits.jobsListedDefault })
  return { erasures: found.map((erasure) => shownErasure(erasure, erasedWithinMs)) }
}
