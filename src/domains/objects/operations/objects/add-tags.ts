import { type Static, Type } from '@sinclair/typebox'
import { Empty } from '../../../../formats/schemas/empty.ts'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/caller.ts'
import type { ObjectsServices } from '../services.ts'

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
  services: ObjectsServices,
  caller: Caller,
  params: Static<typeof addTagsRoute.params>,
  body: Static<typeof addTagsRoute.body>,
) {
  await services.objects.labels.addTags(caller.write(body.project_id), params.object_id, params.digest, body.tags)
  return {}
}
