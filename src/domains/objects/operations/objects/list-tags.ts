import { type Static, Type } from '@sinclair/typebox'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/caller.ts'
import { jsonListResponse } from '../../../requests/json-lines.ts'
import type { ObjectsServices } from '../services.ts'

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
  services: ObjectsServices,
  caller: Caller,
  { signal }: Request,
  { project_id }: Static<typeof listTagsRoute.query>,
) {
  const reader = caller.read(project_id)
  const { labels } = services.objects
  return jsonListResponse(services.streams, 'tags', (left) => labels.listTags(reader, left), { clientLeft: signal })
}
