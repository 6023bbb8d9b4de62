import { type Static, Type } from '@sinclair/typebox'
import { Empty, Nullable, OpenObject } from '../../../../formats/schemas/members.ts'
import { requestLimits } from '../../../../lib/limits/requests.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/index.ts'
import { jsonListResponse } from '../../../requests/index.ts'
import type { ObjectsServices } from '../services.ts'

const reason = Nullable(
  Type.String({ maxLength: requestLimits.auditReasonCharsMax, description: 'Why; kept in the audit log' }),
)

export const setAliasesRoute = {
  params: Type.Object({ object_id: Type.String() }),
  body: OpenObject({
    project_id: ProjectId,
    digest: Type.String(),
    aliases: Type.Array(Type.String()),
    from_digest: Nullable(
      Type.String({
        description:
          'Digest of the version that each of the aliases points to, empty for none; if one of them points ' +
          'elsewhere, the request is rejected with 409 and none is moved',
      }),
    ),
    reason,
  }),
  response: {
    200: Empty,
    409: Type.Object(
      { reason: Type.String(), error_type: Type.String() },
      { description: 'An alias does not point to `from_digest`; none is moved' },
    ),
  },
  detail: {
    operationId: 'objects.setAliases',
    idempotencyKey: true,
    summary: 'Set aliases of an object version',
    description:
      'The version is identified by its digest. An alias points to one version of its object at a time and must ' +
      'not have the form of a digest or of `v<number>`.',
    tags: ['Objects'],
  },
}

export async function setAliases(
  services: ObjectsServices,
  caller: Caller,
  params: Static<typeof setAliasesRoute.params>,
  body: Static<typeof setAliasesRoute.body>,
) {
  const { project_id, digest, aliases, from_digest: from } = body
  await services.objects.labels.setAliases(caller.write(project_id), params.object_id, digest, aliases, from)
  return {}
}

export const addTagsRoute = {
  params: Type.Object({ object_id: Type.String(), digest: Type.String() }),
  body: OpenObject({ project_id: ProjectId, tags: Type.Array(Type.String()) }),
  response: { 200: Empty },
  detail: {
    operationId: 'objects.addTags',
    idempotencyKey: true,
    summary: 'Add tags to an object version',
    description: 'The version is identified by its digest. Tags that it already has are kept.',
    tags: ['Objects'],
  },
}

export async function addTags(
  services: ObjectsServices,
  caller: Caller,
  params: Static<typeof addTagsRoute.params>,
  body: Static<typeof addTagsRoute.body>,
) {
  await services.objects.labels.addTags(caller.write(body.project_id), params.object_id, params.digest, body.tags)
  return {}
}

export const removeTagsRoute = {
  params: Type.Object({ object_id: Type.String(), digest: Type.String() }),
  body: OpenObject({ project_id: ProjectId, tags: Type.Array(Type.String()) }),
  response: { 200: Empty },
  detail: {
    operationId: 'objects.removeTags',
    idempotencyKey: true,
    summary: 'Remove tags from an object version',
    description: 'Tags that the version does not have are ignored.',
    tags: ['Objects'],
  },
}

export async function removeTags(
  services: ObjectsServices,
  caller: Caller,
  params: Static<typeof removeTagsRoute.params>,
  body: Static<typeof removeTagsRoute.body>,
) {
  await services.objects.labels.removeTags(caller.write(body.project_id), params.object_id, params.digest, body.tags)
  return {}
}

export const removeAliasesRoute = {
  params: Type.Object({ object_id: Type.String() }),
  body: OpenObject({ project_id: ProjectId, aliases: Type.Array(Type.String()), reason }),
  response: { 200: Empty },
  detail: {
    operationId: 'objects.removeAliases',
    idempotencyKey: true,
    summary: 'Remove aliases from an object',
    description: 'Aliases that the object does not have are ignored.',
    tags: ['Objects'],
  },
}

export async function removeAliases(
  services: ObjectsServices,
  caller: Caller,
  params: Static<typeof removeAliasesRoute.params>,
  body: Static<typeof removeAliasesRoute.body>,
) {
  await services.objects.labels.removeAliases(caller.write(body.project_id), params.object_id, body.aliases)
  return {}
}

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
  services: ObjectsServices,
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
