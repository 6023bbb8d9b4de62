import { type Static, Type } from '@sinclair/typebox'
import { Empty } from '../../../../formats/schemas/empty.ts'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/caller.ts'
import type { ObjectsServices } from '../services.ts'

export const removeAliasesRoute = {
  params: Type.Object({ object_id: Type.String() }),
  body: OpenObject({ project_id: ProjectId, aliases: Type.Array(Type.String()) }),
  response: { 200: Empty },
  detail: {
    operationId: 'objects.removeAliases',
    idempotencyKey: true,
    summary: 'Remove aliases from an object',
    description: 'Aliases that the object does not have are ignored.',
    tags: ['Objects'],
  },
}

export async function removeAliases(
  services: ObjectsServices,
  caller: Caller,
  params: Static<typeof removeAliasesRoute.params>,
  body: Static<typeof removeAliasesRoute.body>,
) {
  await services.objects.labels.removeAliases(caller.write(body.project_id), params.object_id, body.aliases)
  return {}
}
