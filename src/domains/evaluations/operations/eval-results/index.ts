import { Elysia } from 'elysia'
import type { RequestContext } from '../../../requests/request-context.ts'
import type { EvaluationsServices } from '../services.ts'
import { queryEvalResults, queryEvalResultsRoute } from './query-eval-results.ts'

/** Comparison of evaluations. */
export const evalResultsApi = (services: EvaluationsServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post(
      '/v2/:entity/:project/eval_results/query',
      ({ caller, params, body }) => queryEvalResults(services, caller, params, body),
      queryEvalResultsRoute,
    )
