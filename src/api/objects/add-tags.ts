import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { ProjectId } from '../../kernel/project-id.ts'
import { Empty } from '../../model/empty.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'

export const addTagsRoute = {
  params: Type.Object({ object_id: Type.String(), digest: Type.String() }),
  body: OpenObject({ project_id: ProjectId, tags: Type.Array(Type.String()) }),
  response: { 200: Empty },
  detail: {
    operationId: 'objects.addTags',
    idempotencyKey: true,
    summary: 'Add tags to an object version',
    description: 'The version is identified by its digest. Tags that it already has are kept.',
    tags: ['Objects'],
  },
}

export async function addTags(
  services: Services,
  caller: Caller,
  params: Static<typeof addTagsRoute.params>,
  body: Static<typeof addTagsRoute.body>,
) {
  await services.objects.labels.addTags(caller.write(body.project_id), params.object_id, params.digest, body.tags)
  return {}
}
