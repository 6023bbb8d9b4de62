import { type TSchema, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { ProjectPath, projectOfPath } from '../../../../formats/body/project-path.ts'
import { OpenObject } from '../../../../formats/schemas/members.ts'
import {
  describeJsonLines,
  jsonLinesResponse,
  jsonTextResponse,
  pageQuery,
  queryTexts,
  requestContext,
} from '../../../requests/index.ts'
import * as model from '../../model/families.ts'
import type { Family } from '../../typed-objects/family.ts'
import { datasets, evaluations, models, ops, scorers } from '../../typed-objects/kinds.ts'
import type { ObjectsServices } from '../services.ts'

/** API of one family of typed objects. */
interface FamilyRoutes {
  /** Last path segment; also used in operation ids. */
  readonly path: string
  readonly tag: string
  readonly family: Family<never>
  readonly create: TSchema
  readonly receipt: TSchema
  readonly version: TSchema
  /** Description of the create operation. */
  readonly description: string
  /** Query parameters of the read operation. */
  readonly readQuery?: Record<string, TSchema>
}

const ObjectPath = Type.Composite([ProjectPath, Type.Object({ object_id: Type.String() })])
const VersionPath = Type.Composite([ObjectPath, Type.Object({ digest: Type.String() })])

/** Create, list, read and delete operations of one family. */
function familyApi(services: ObjectsServices, routes: FamilyRoutes) {
  const { path, tag, family, create, receipt, version, description, readQuery = {} } = routes
  const one = `${/^[aeiou]/.test(family.one) ? 'an' : 'a'} ${family.one}`
  const all = `/v2/:entity/:project/${path}`
  const detail = (operation: string, summary: string, more: Record<string, unknown> = {}) => ({
    detail: { operationId: `${path}.${operation}`, summary, tags: [tag], ...more },
  })
  return new Elysia({ normalize: false })
    .decorate(requestContext)
    .post(
      all,
      ({ caller, params, body }) =>
        services.typedObjects.create(family, caller.write(projectOfPath(params)), body as never) as Promise<never>,
      {
        params: ProjectPath,
        body: create,
        response: { 200: receipt },
        ...detail('create', `Create ${one}`, { description, idempotencyKey: true }),
      },
    )
    .get(
      all,
      ({ caller, params, query }) => {
        const reader = caller.read(projectOfPath(params))
        return jsonLinesResponse(services.streams, (signal) =>
          services.typedObjects.jsonLines(family, reader, query, signal),
        )
      },
      {
        params: ProjectPath,
        query: OpenObject(pageQuery),
        ...detail('list', `List ${path}`, {
          description: family.latestOnly
            ? 'Returns the latest version of each, oldest first.'
            : 'Returns all versions, oldest first.',
          responses: describeJsonLines('Versions, one per line', version),
        }),
      },
    )
    .get(
      `${all}/:object_id/versions/:digest`,
      async ({ caller, params }) =>
        jsonTextResponse(
          await services.typedObjects.read(family, caller.read(projectOfPath(params)), params.object_id, params.digest),
        ),
      {
        params: VersionPath,
        query: OpenObject(readQuery),
        response: { 200: version },
        ...detail('read', `Get a version of ${one}`, {
          description: 'Accepts a digest, `latest`, `v<number>` or an alias. The response contains the digest.',
        }),
      },
    )
    .delete(
      `${all}/:object_id`,
      async ({ caller, params, query }) => ({
        num_deleted: await services.typedObjects.delete(
          family,
          caller.write(projectOfPath(params)),
          params.object_id,
          query.digests,
        ),
      }),
      {
        params: ObjectPath,
        // Closed: a misspelled `digests` would delete all versions.
        query: Type.Object(
          { digests: queryTexts('Versions to delete; all if omitted') },
          { additionalProperties: false },
        ),
        response: { 200: Type.Object({ num_deleted: Type.Integer() }) },
        ...detail('delete', `Delete versions of ${one}`, {
          description: 'Deletes all given versions or none. `num_deleted` counts versions.',
        }),
      },
    )
}

const families: readonly FamilyRoutes[] = [
  {
    path: 'ops',
    tag: 'Ops',
    family: ops,
    create: model.OpCreate,
    receipt: model.OpReceipt,
    version: model.Op,
    description: 'The source code is stored as a file of the project.',
    readQuery: { eager: Type.Optional(Type.String({ description: 'Ignored; the code is always included' })) },
  },
  {
    path: 'datasets',
    tag: 'Datasets',
    family: datasets,
    create: model.DatasetCreate,
    receipt: model.DatasetReceipt,
    version: model.Dataset,
    description: 'The rows are stored as a table of the project.',
  },
  {
    path: 'scorers',
    tag: 'Scorers',
    family: scorers,
    create: model.ScorerCreate,
    receipt: model.ScorerReceipt,
    version: model.Scorer,
    description: 'The source code is stored as the op `<name>.score`, which is the op name of calls to the scorer.',
  },
  {
    path: 'models',
    tag: 'Models',
    family: models,
    create: model.ModelCreate,
    receipt: model.ModelReceipt,
    version: model.Model,
    description: 'Attributes become members of the object; they cannot override its built-in members.',
  },
  {
    path: 'evaluations',
    tag: 'Evaluations',
    family: evaluations,
    create: model.EvaluationCreate,
    receipt: model.EvaluationReceipt,
    version: model.Evaluation,
    description: 'Refs are not resolved. Attributes become members of the object.',
  },
]

/** Typed objects by family. */
export function familiesApi(services: ObjectsServices) {
  const app = new Elysia({ normalize: false })
  for (const routes of families) app.use(familyApi(services, routes))
  return app
}
