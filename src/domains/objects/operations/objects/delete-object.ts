import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OpenObject } from '../../../../formats/schemas/nullable.ts'
import { limits } from '../../../../lib/limits.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/caller.ts'
import { DeletedVersion } from '../../model/objects.ts'
import type { ObjectsServices } from '../services.ts'

export const deleteObjectRoute = {
  body: OpenObject({
    project_id: ProjectId,
    object_id: Type.String(),
    digests: Nullable(
      Type.Array(Type.String(), {
        description: `Up to ${limits.deleteVersionsMax} digests, \`latest\` or \`v<number>\`; all versions if omitted`,
      }),
    ),
  }),
  response: { 200: Type.Object({ num_deleted: Type.Integer(), deleted_versions: Type.Array(DeletedVersion) }) },
  detail: {
    operationId: 'objects.delete',
    idempotencyKey: true,
    summary: 'Delete object versions',
    description:
      'Tags and aliases of the versions are deleted too; version numbers are never reused. If any of the given ' +
      'versions does not exist, nothing is deleted.',
    tags: ['Objects'],
  },
}

export async function deleteObject(
  services: ObjectsServices,
  caller: Caller,
  { project_id, object_id, digests }: Static<typeof deleteObjectRoute.body>,
) {
  const deleted = await services.objects.delete(caller.write(project_id), object_id, digests)
  return { num_deleted: deleted.length, deleted_versions: deleted }
}
