import { Elysia } from 'elysia'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../request-context.ts'
import { queryEvalResults, queryEvalResultsRoute } from './query-eval-results.ts'

/** Comparison of evaluations. */
export const evalResultsApi = (services: Services) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post(
      '/v2/:entity/:project/eval_results/query',
      ({ caller, params, body }) => queryEvalResults(services, caller, params, body),
      queryEvalResultsRoute,
    )
