import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { FreeObject, Nullable, OpenObject } from '../../../../formats/schemas/nullable.ts'
import { limits } from '../../../../lib/limits.ts'
import type { RequestContext } from '../../../requests/request-context.ts'
import { executeAccountsQuery } from './account-graph.ts'

const graphRoute = {
  body: OpenObject({
    query: Type.String({ maxLength: limits.graphqlQueryCharsMax }),
    variables: Nullable(FreeObject),
    operationName: Nullable(Type.String()),
  }),
  // GraphQL describes itself.
  detail: { operationId: 'accounts.graphql', readOnly: true, hide: true },
}

/** The vendor's SDKs query users and projects through GraphQL, beside the tracing API. */
export const accountsApi = ({ isServed }: { isServed: boolean }) => {
  const app = new Elysia({ normalize: false }).decorate({} as RequestContext)
  return isServed ? app.post('/graphql', ({ caller, body }) => executeAccountsQuery(caller, body), graphRoute) : app
}
