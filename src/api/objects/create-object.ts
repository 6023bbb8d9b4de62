import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { OpenObject } from '../../model/nullable.ts'
import { ObjectCreate } from '../../model/objects.ts'
import type { Services } from '../../services.ts'

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

export async function createObject(services: Services, caller: Caller, { obj }: Static<typeof createObjectRoute.body>) {
  const { digest, object_id } = await services.objects.create(caller.write(obj.project_id), obj)
  return { digest, object_id }
}
