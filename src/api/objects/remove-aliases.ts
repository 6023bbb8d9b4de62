import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { ProjectId } from '../../kernel/project-id.ts'
import { Empty } from '../../model/empty.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'

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
  services: Services,
  caller: Caller,
  params: Static<typeof removeAliasesRoute.params>,
  body: Static<typeof removeAliasesRoute.body>,
) {
  await services.objects.labels.removeAliases(caller.write(body.project_id), params.object_id, body.aliases)
  return {}
}
