import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { FreeObject, Nullable, OpenObject } from '../../model/nullable.ts'
import type { RequestContext } from '../request-context.ts'
import { executeAccountsQuery } from './account-graph.ts'

const questionCharsMax = 10_000

const graphRoute = {
  body: OpenObject({
    query: Type.String({ maxLength: questionCharsMax }),
    variables: Nullable(FreeObject),
    operationName: Nullable(Type.String()),
  }),
  // It speaks GraphQL, and describes itself in that.
  detail: { operationId: 'accounts.graphql', readOnly: true, hide: true },
}

/** The vendor's client packages ask for users and projects in GraphQL, beside the API for traces; nobody else does. */
export const accountsApi = ({ isServed }: { isServed: boolean }) => {
  const app = new Elysia({ normalize: false }).decorate({} as RequestContext)
  return isServed ? app.post('/graphql', ({ caller, body }) => executeAccountsQuery(caller, body), graphRoute) : app
}
