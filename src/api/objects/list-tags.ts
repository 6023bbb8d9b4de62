import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { ProjectId } from '../../kernel/project-id.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'
import { jsonListResponse } from '../json-lines.ts'

export const listTagsRoute = {
  query: OpenObject({ project_id: ProjectId }),
  response: { 200: Type.Object({ tags: Type.Array(Type.String()) }) },
  detail: {
    operationId: 'objects.listTags',
    summary: 'List the tags of a project',
    description: 'Returns the distinct tags of all versions that are not deleted, sorted.',
    tags: ['Objects'],
  },
}

export function listTags(
  services: Services,
  caller: Caller,
  { signal }: Request,
  { project_id }: Static<typeof listTagsRoute.query>,
) {
  const reader = caller.read(project_id)
  const { labels } = services.objects
  return jsonListResponse(services.streams, 'tags', (left) => labels.listTags(reader, left), { clientLeft: signal })
}
