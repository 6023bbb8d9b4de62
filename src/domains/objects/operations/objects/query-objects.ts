import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../../access/caller.ts'
import { jsonListResponse } from '../../../requests/json-lines.ts'
import { ObjectsRequest, ObjectVersion } from '../../model/objects.ts'
import type { ObjectsServices } from '../services.ts'

export const queryObjectsRoute = {
  body: ObjectsRequest,
  response: { 200: Type.Object({ objs: Type.Array(ObjectVersion) }) },
  detail: {
    operationId: 'objects.query',
    readOnly: true,
    summary: 'Query object versions',
    description: 'All members of the filter must match; an empty list matches everything. Oldest first.',
    tags: ['Objects'],
  },
}

export async function queryObjects(
  services: ObjectsServices,
  caller: Caller,
  { project_id, ...question }: Static<typeof queryObjectsRoute.body>,
  nameOf: (member: string) => string,
) {
  const reader = caller.read(project_id)
  return await jsonListResponse(services.streams, 'objs', (signal) =>
    services.objects.texts(reader, question, nameOf, signal),
  )
}
