import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { ProjectId } from '../../kernel/project-id.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'
import { jsonListResponse } from '../json-lines.ts'

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
  services: Services,
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
