import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { GraphQLSchema } from 'graphql'
import { FreeObject, Nullable, OpenObject } from '../../../../formats/schemas/members.ts'
import { requestLimits } from '../../../../lib/limits/requests.ts'
import { itemAt } from '../../../../lib/present.ts'
import { isProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/index.ts'
import { requestContext } from '../../../requests/index.ts'

/**
 * Queries that client SDKs send before tracing: who they are, and whether they can access the
 * project.
 */
const types = `
  type Query {
    "The user that the API key belongs to."
    viewer: Viewer!
    "A project within the scope of the key. Projects are created implicitly by the first write."
    project(name: String!, entityName: String!): Project!
  }
  type Mutation {
    "Called by older clients instead of project. Creates nothing: projects are created implicitly by the first write."
    upsertModel(input: UpsertModelInput!): UpsertModelPayload!
  }
  input UpsertModelInput {
    id: String
    name: String!
    entityName: String!
    description: String
    repo: String
  }
  type UpsertModelPayload {
    model: Project!
  }
  type Viewer {
    "The name of the API key."
    username: String!
    "The entity of projects that are named without one."
    defaultEntity: Entity!
  }
  type Entity {
    name: String!
  }
  type Project {
    name: String!
    "Always null: projects have no description."
    description: String
  }
`

/**
 * Clients use this code to distinguish a permission error from a transient failure, which they
 * would retry.
 */
const refused = { extensions: { code: 'PERMISSION_ERROR' } }

interface GraphqlRequest {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>> | null
  readonly operationName?: string | null
}

interface ProjectName {
  readonly name: string
  readonly entityName: string
}

interface GraphqlResponse {
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly errors?: readonly { readonly message: string }[]
}

/**
 * Executes a GraphQL query. Errors are part of the response, as the GraphQL over HTTP specification
 * requires for JSON.
 */
async function executeAccountsQuery(caller: Caller, request: GraphqlRequest): Promise<GraphqlResponse> {
  // Imported lazily: most servers never need it.
  const { buildSchema, execute, GraphQLError, parse, validate } = await import('graphql')
  schema ??= buildSchema(types)
  let document: ReturnType<typeof parse>
  try {
    document = parse(request.query, { maxTokens: requestLimits.graphqlTokensMax })
  } catch (cause) {
    if (cause instanceof GraphQLError) return { errors: [cause.toJSON()] }
    throw cause
  }
  const faults = validate(schema, document)
  if (faults.length > 0) return { errors: faults.map((fault) => fault.toJSON()) }
  const projectOf = ({ name, entityName }: ProjectName) => {
    const projectId = `${entityName}/${name}`
    if (!isProjectId(projectId)) throw new GraphQLError(`Invalid project name "${projectId}"`, refused)
    if (!caller.reaches(projectId)) throw new GraphQLError(`This API key has no access to "${projectId}"`, refused)
    return { name, description: null }
  }
  const { data, errors } = await execute({
    schema,
    document,
    rootValue: {
      viewer: () => ({ username: caller.userName, defaultEntity: { name: defaultEntity(caller) } }),
      project: projectOf,
      upsertModel: ({ input }: { input: ProjectName }) => ({ model: projectOf(input) }),
    },
    variableValues: request.variables ?? {},
    operationName: request.operationName ?? null,
  })
  return { ...(data !== undefined && { data }), ...(errors && { errors: errors.map((error) => error.toJSON()) }) }
}

let schema: GraphQLSchema | undefined

/**
 * The entity in the scope of the key; a key for all projects gets the user's name as its entity.
 */
function defaultEntity({ scopes: [scope = '*'], userName }: Caller): string {
  if (scope !== '*') return itemAt(scope.split('/'), 0)
  return isProjectId(`${userName}/any`) ? userName : 'default'
}

const graphRoute = {
  body: OpenObject({
    query: Type.String({ maxLength: requestLimits.graphqlQueryCharsMax }),
    variables: Nullable(FreeObject),
    operationName: Nullable(Type.String()),
  }),
  // GraphQL describes itself.
  detail: { operationId: 'accounts.graphql', readOnly: true, hide: true },
}

/**
 * The vendor's SDKs query users and projects through GraphQL, beside the tracing API. See
 * docs/decisions/064-graphql-viewer-and-project.md.
 */
export const accountsApi = ({ isServed }: { isServed: boolean }) => {
  const app = new Elysia({ normalize: false }).decorate(requestContext)
  return isServed ? app.post('/graphql', ({ caller, body }) => executeAccountsQuery(caller, body), graphRoute) : app
}
