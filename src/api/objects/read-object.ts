import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { ObjectRead, ObjectVersion } from '../../model/objects.ts'
import type { Services } from '../../services.ts'

export const readObjectRoute = {
  body: ObjectRead,
  response: { 200: Type.Object({ obj: ObjectVersion }) },
  detail: {
    operationId: 'objects.read',
    summary: 'Read a version of an object',
    description:
      'By digest, `latest`, `v<number>` or alias; text with the form of a digest is never taken for an alias. For a deleted version the 404 has the member `deleted_at`.',
    tags: ['Objects'],
  },
}

export const readObject = async (
  services: Services,
  caller: Caller,
  { project_id, object_id, digest, ...options }: Static<typeof readObjectRoute.body>,
) => ({ obj: await services.objects.read(caller.read(project_id), { object_id, digest }, options) })
