import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { Empty, Nullable, OpenObject } from '../../../../formats/schemas/members.ts'
import { operationLimits } from '../../../../lib/limits/operations.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/index.ts'
import { jsonListResponse, requestContext } from '../../../requests/index.ts'
import { DeletedVersion, ObjectCreate, ObjectRead, ObjectsRequest, ObjectVersion } from '../../model/objects.ts'
import type { ObjectsServices } from '../services.ts'

const deleteObjectRoute = {
  body: OpenObject({
    project_id: ProjectId,
    object_id: Type.String(),
    digests: Nullable(
      Type.Array(Type.String(), {
        description:
          `Up to ${operationLimits.deleteVersionsMax} digests, \`latest\` or \`v<number>\`; ` +
          'all versions if omitted',
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

async function deleteObject(
  services: ObjectsServices,
  caller: Caller,
  { project_id, object_id, digests }: Static<typeof deleteObjectRoute.body>,
) {
  const deleted = await services.objects.delete(caller.write(project_id), object_id, digests)
  return { num_deleted: deleted.length, deleted_versions: deleted }
}

const setAliasesRoute = {
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

async function setAliases(
  services: ObjectsServices,
  caller: Caller,
  params: Static<typeof setAliasesRoute.params>,
  body: Static<typeof setAliasesRoute.body>,
) {
  const { project_id, digest, aliases, from_digest: from } = body
  await services.objects.labels.setAliases(caller.write(project_id), params.object_id, digest, aliases, from)
  return {}
}

const createObjectRoute = {
  body: OpenObject({ obj: ObjectCreate }),
  response: {
    200: Type.Object({ digest: Type.String(), object_id: Type.String() }),
    409: Type.Object(
      { reason: Type.String(), error_type: Type.String() },
      {
        description:
          'The digest does not match `expected_digest`, or another version than `expected_latest_digest` is the ' +
          'latest; nothing is stored',
      },
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

async function createObject(services: ObjectsServices, caller: Caller, { obj }: Static<typeof createObjectRoute.body>) {
  const { digest, object_id } = await services.objects.create(caller.write(obj.project_id), obj)
  return { digest, object_id }
}

const addTagsRoute = {
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

async function addTags(
  services: ObjectsServices,
  caller: Caller,
  params: Static<typeof addTagsRoute.params>,
  body: Static<typeof addTagsRoute.body>,
) {
  await services.objects.labels.addTags(caller.write(body.project_id), params.object_id, params.digest, body.tags)
  return {}
}

const removeTagsRoute = {
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

async function removeTags(
  services: ObjectsServices,
  caller: Caller,
  params: Static<typeof removeTagsRoute.params>,
  body: Static<typeof removeTagsRoute.body>,
) {
  await services.objects.labels.removeTags(caller.write(body.project_id), params.object_id, params.digest, body.tags)
  return {}
}

const removeAliasesRoute = {
  params: Type.Object({ object_id: Type.String() }),
  body: OpenObject({ project_id: ProjectId, aliases: Type.Array(Type.String()) }),
  response: { 200: Empty },
  detail: {
    operationId: 'objects.removeAliases',
    idempotencyKey: true,
    summary: 'Remove aliases from an object',
    description: 'Aliases that the object does not have are ignored.',
    tags: ['Objects'],
  },
}

async function removeAliases(
  services: ObjectsServices,
  caller: Caller,
  params: Static<typeof removeAliasesRoute.params>,
  body: Static<typeof removeAliasesRoute.body>,
) {
  await services.objects.labels.removeAliases(caller.write(body.project_id), params.object_id, body.aliases)
  return {}
}

const listAliasesRoute = {
  query: OpenObject({ project_id: ProjectId }),
  response: { 200: Type.Object({ aliases: Type.Array(Type.String()) }) },
  detail: {
    operationId: 'objects.listAliases',
    summary: 'List the aliases of a project',
    description: 'Includes `latest` if the project has any object.',
    tags: ['Objects'],
  },
}

function listAliases(
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

const listTagsRoute = {
  query: OpenObject({ project_id: ProjectId }),
  response: { 200: Type.Object({ tags: Type.Array(Type.String()) }) },
  detail: {
    operationId: 'objects.listTags',
    summary: 'List the tags of a project',
    description: 'Returns the distinct tags of all versions that are not deleted, sorted.',
    tags: ['Objects'],
  },
}

function listTags(
  services: ObjectsServices,
  caller: Caller,
  { signal }: Request,
  { project_id }: Static<typeof listTagsRoute.query>,
) {
  const reader = caller.read(project_id)
  const { labels } = services.objects
  return jsonListResponse(services.streams, 'tags', (left) => labels.listTags(reader, left), { clientLeft: signal })
}

const queryObjectsRoute = {
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

async function queryObjects(
  services: ObjectsServices,
  caller: Caller,
  { project_id, ...request }: Static<typeof queryObjectsRoute.body>,
  nameOf: (member: string) => string,
) {
  const reader = caller.read(project_id)
  return await jsonListResponse(services.streams, 'objs', (signal) =>
    services.objects.texts(reader, request, nameOf, signal),
  )
}

const readObjectRoute = {
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

const readObject = async (
  services: ObjectsServices,
  caller: Caller,
  { project_id, object_id, digest, ...options }: Static<typeof readObjectRoute.body>,
) => ({ obj: await services.objects.read(caller.read(project_id), { object_id, digest }, options) })

/** Object operations. */
export const objectsApi = (services: ObjectsServices, nameOf: (member: string) => string) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post('/obj/create', ({ caller, body }) => createObject(services, caller, body), createObjectRoute)
    .post('/obj/read', ({ caller, body }) => readObject(services, caller, body), readObjectRoute)
    .post('/obj/delete', ({ caller, body }) => deleteObject(services, caller, body), deleteObjectRoute)
    .post('/objs/query', ({ caller, body }) => queryObjects(services, caller, body, nameOf), queryObjectsRoute)
    .put(
      '/objs/:object_id/versions/:digest/tags',
      ({ caller, params, body }) => addTags(services, caller, params, body),
      addTagsRoute,
    )
    .post(
      '/objs/:object_id/versions/:digest/tags/remove',
      ({ caller, params, body }) => removeTags(services, caller, params, body),
      removeTagsRoute,
    )
    .put(
      '/objs/:object_id/aliases',
      ({ caller, params, body }) => setAliases(services, caller, params, body),
      setAliasesRoute,
    )
    .post(
      '/objs/:object_id/aliases/remove',
      ({ caller, params, body }) => removeAliases(services, caller, params, body),
      removeAliasesRoute,
    )
    .get('/tags', ({ caller, request, query }) => listTags(services, caller, request, query), listTagsRoute)
    .get('/aliases', ({ caller, request, query }) => listAliases(services, caller, request, query), listAliasesRoute)
