import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { Nullable, OpenObject } from '../../../../formats/schemas/members.ts'
import { operationLimits } from '../../../../lib/limits/operations.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/index.ts'
import { jsonListResponse, requestContext } from '../../../requests/index.ts'
import { DeletedVersion, ObjectCreate, ObjectRead, ObjectsRequest, ObjectVersion } from '../../model/objects.ts'
import type { ObjectsServices } from '../services.ts'
import {
  addTags,
  addTagsRoute,
  listAliases,
  listAliasesRoute,
  listTags,
  listTagsRoute,
  removeAliases,
  removeAliasesRoute,
  removeTags,
  removeTagsRoute,
  setAliases,
  setAliasesRoute,
} from './labels.ts'

const readBatchRoute = {
  body: OpenObject({
    refs: Type.Array(Type.String(), { description: `Up to ${operationLimits.refsMax} object or op refs, by digest` }),
  }),
  response: { 200: Type.Object({ vals: Type.Array(Type.Unknown()) }) },
  detail: {
    operationId: 'refs.readBatch',
    readOnly: true,
    summary: 'Resolve a batch of refs',
    description:
      'Returns one value per ref, in order; null if the object is deleted or a path segment does not exist. ' +
      'Intermediate refs within the project are followed, the final one is not. If an object never existed, the ' +
      'response is 404 with `missing_object_digests`.',
    tags: ['Refs'],
  },
}

async function readBatch(services: ObjectsServices, caller: Caller, { refs }: Static<typeof readBatchRoute.body>) {
  const values = await services.refs.readBatch(caller, refs)
  return await jsonListResponse(services.streams, 'vals', async function* () {
    yield values
  })
}

/** Ref operations. */
export const refsApi = (services: ObjectsServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post('/refs/read_batch', ({ caller, body }) => readBatch(services, caller, body), readBatchRoute)

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
