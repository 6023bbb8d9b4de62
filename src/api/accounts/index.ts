import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { limits } from '../../limits.ts'
import { FreeObject, Nullable, OpenObject } from '../../model/nullable.ts'
import type { RequestContext } from '../request-context.ts'
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
