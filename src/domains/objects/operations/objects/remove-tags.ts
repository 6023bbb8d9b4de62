import { type Static, Type } from '@sinclair/typebox'
import { Empty } from '../../../../formats/schemas/empty.ts'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/caller.ts'
import type { ObjectsServices } from '../services.ts'

export const removeTagsRoute = {
  params: Type.Object({ object_id: Type.String(), digest: Type.String() }),
  body: OpenObject({ project_id: ProjectId, tags: Type.Array(Type.String()) }),
  response: { 200: Empty },
  detail: {
    operationId: 'objects.removeTags',
    idempotencyKey: true,
    summary: 'Remove tags from an object version',
    description: 'Tags that the version does not have are ignored.',
    tags: ['Objects'],
  },
}

export async function removeTags(
  services: ObjectsServices,
  caller: Caller,
  params: Static<typeof removeTagsRoute.params>,
  body: Static<typeof removeTagsRoute.body>,
) {
  await services.objects.labels.removeTags(caller.write(body.project_id), params.object_id, params.digest, body.tags)
  return {}
}
