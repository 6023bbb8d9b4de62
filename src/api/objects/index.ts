import { Elysia } from 'elysia'
import type { Services } from '../../services/services.ts'
import type { RequestContext } from '../request-context.ts'
import { createObject, createObjectRoute } from './create-object.ts'
import { deleteObject, deleteObjectRoute } from './delete-object.ts'
import { queryObjects, queryObjectsRoute } from './query-objects.ts'
import { readObject, readObjectRoute } from './read-object.ts'

/** Operations on versioned objects. */
export const objectsApi = (services: Services) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post('/obj/create', ({ caller, body }) => createObject(services, caller, body), createObjectRoute)
    .post('/obj/read', ({ caller, body }) => readObject(services, caller, body), readObjectRoute)
    .post('/obj/delete', ({ caller, body }) => deleteObject(services, caller, body), deleteObjectRoute)
    .post('/objs/query', ({ caller, body }) => queryObjects(services, caller, body), queryObjectsRoute)
