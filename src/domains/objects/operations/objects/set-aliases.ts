import { type Static, Type } from '@sinclair/typebox'
import { Empty } from '../../../../formats/schemas/empty.ts'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/caller.ts'
import type { ObjectsServices } from '../services.ts'

export const setAliasesRoute = {
  params: Type.Object({ object_id: Type.String() }),
  body: OpenObject({ project_id: ProjectId, digest: Type.String(), aliases: Type.Array(Type.String()) }),
  response: { 200: Empty },
  detail: {
    operationId: 'objects.setAliases',
    idempotencyKey: true,
    summary: 'Set aliases of an object version',
    description:
      'The version is identified by its digest. An alias points to one version of its object at a time and must ' +
      'not have the form of a digest or of `v<number>`.',
    tags: ['Objects'],
  },
}

export async function setAliases(
  services: ObjectsServices,
  caller: Caller,
  params: Static<typeof setAliasesRoute.params>,
  body: Static<typeof setAliasesRoute.body>,
) {
  await services.objects.labels.setAliases(caller.write(body.project_id), params.object_id, body.digest, body.aliases)
  return {}
}
