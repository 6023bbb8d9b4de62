import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../../access/caller.ts'
import { ObjectRead, ObjectVersion } from '../../model/objects.ts'
import type { ObjectsServices } from '../services.ts'

export const readObjectRoute = {
  body: ObjectRead,
  response: { 200: Type.Object({ obj: ObjectVersion }) },
  detail: {
    operationId: 'objects.read',
    readOnly: true,
    summary: 'Get an object version',
    description:
      'Accepts a digest, `latest`, `v<number>` or an alias; anything in the form of a digest is never looked up ' +
      'as an alias. The 404 response for a deleted version has the member `deleted_at`.',
    tags: ['Objects'],
  },
}

export const readObject = async (
  services: ObjectsServices,
  caller: Caller,
  { project_id, object_id, digest, ...options }: Static<typeof readObjectRoute.body>,
) => ({ obj: await services.objects.read(caller.read(project_id), { object_id, digest }, options) })
