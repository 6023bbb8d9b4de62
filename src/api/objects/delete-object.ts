import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { ProjectId } from '../../kernel/project-id.ts'
import { limits } from '../../limits.ts'
import { Nullable, OpenObject } from '../../model/nullable.ts'
import { DeletedVersion } from '../../model/objects.ts'
import type { Services } from '../../services.ts'

export const deleteObjectRoute = {
  body: OpenObject({
    project_id: ProjectId,
    object_id: Type.String(),
    digests: Nullable(
      Type.Array(Type.String(), {
        description: `Digests, \`latest\` or \`v<number>\`, up to ${limits.deleteVersionsMax}; left out: all versions`,
      }),
    ),
  }),
  response: { 200: Type.Object({ num_deleted: Type.Integer(), deleted_versions: Type.Array(DeletedVersion) }) },
  detail: {
    operationId: 'objects.delete',
    summary: 'Delete versions of an object',
    description:
      'Tags and aliases of the versions go with them; their numbers stay taken. Where one of the named versions is not there, nothing is deleted.',
    tags: ['Objects'],
  },
}

export async function deleteObject(
  services: Services,
  caller: Caller,
  { project_id, object_id, digests }: Static<typeof deleteObjectRoute.body>,
) {
  const deleted = await services.objects.delete(caller.write(project_id), object_id, digests)
  return { num_deleted: deleted.length, deleted_versions: deleted }
}
