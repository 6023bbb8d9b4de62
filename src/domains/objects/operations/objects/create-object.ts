import { type Static, Type } from '@sinclair/typebox'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import type { Caller } from '../../../access/caller.ts'
import { ObjectCreate } from '../../model/objects.ts'
import type { ObjectsServices } from '../services.ts'

export const createObjectRoute = {
  body: OpenObject({ obj: ObjectCreate }),
  response: {
    200: Type.Object({ digest: Type.String(), object_id: Type.String() }),
    409: Type.Object(
      { reason: Type.String(), error_type: Type.String() },
      { description: 'The digest does not match `expected_digest`; nothing is stored' },
    ),
  },
  detail: {
    operationId: 'objects.create',
    idempotencyKey: true,
    summary: 'Create an object version',
    description:
      'The new version becomes the latest. Digests are computed from the content alone, so identical content is ' +
      'the same version.',
    tags: ['Objects'],
  },
}

export async function createObject(
  services: ObjectsServices,
  caller: Caller,
  { obj }: Static<typeof createObjectRoute.body>,
) {
  const { digest, object_id } = await services.objects.create(caller.write(obj.project_id), obj)
  return { digest, object_id }
}
