import { type Static, Type } from '@sinclair/typebox'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/caller.ts'
import { jsonListResponse } from '../../../requests/json-lines.ts'
import type { ObjectsServices } from '../services.ts'

export const listAliasesRoute = {
  query: OpenObject({ project_id: ProjectId }),
  response: { 200: Type.Object({ aliases: Type.Array(Type.String()) }) },
  detail: {
    operationId: 'objects.listAliases',
    summary: 'List the aliases of a project',
    description: 'Includes `latest` if the project has any object.',
    tags: ['Objects'],
  },
}

export function listAliases(
  services: ObjectsServices,
  caller: Caller,
  { signal }: Request,
  { project_id }: Static<typeof listAliasesRoute.query>,
) {
  const reader = caller.read(project_id)
  const { labels } = services.objects
  return jsonListResponse(services.streams, 'aliases', (left) => labels.listAliases(reader, left), {
    clientLeft: signal,
  })
}
