import { Elysia } from 'elysia'
import type { RequestContext } from '../../../requests/request-context.ts'
import type { ObjectsServices } from '../services.ts'
import { addTags, addTagsRoute } from './add-tags.ts'
import { createObject, createObjectRoute } from './create-object.ts'
import { deleteObject, deleteObjectRoute } from './delete-object.ts'
import { listAliases, listAliasesRoute } from './list-aliases.ts'
import { listTags, listTagsRoute } from './list-tags.ts'
import { queryObjects, queryObjectsRoute } from './query-objects.ts'
import { readObject, readObjectRoute } from './read-object.ts'
import { removeAliases, removeAliasesRoute } from './remove-aliases.ts'
import { removeTags, removeTagsRoute } from './remove-tags.ts'
import { setAliases, setAliasesRoute } from './set-aliases.ts'

/** Object operations. */
export const objectsApi = (services: ObjectsServices, nameOf: (member: string) => string) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
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
