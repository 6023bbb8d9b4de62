import { Elysia } from 'elysia'
import type { RequestContext } from '../../../requests/request-context.ts'
import type { EvaluationsServices } from '../services.ts'
import { createEvaluationRun, createEvaluationRunRoute } from './create-evaluation-run.ts'
import { deleteEvaluationRuns, deleteEvaluationRunsRoute } from './delete-evaluation-runs.ts'
import { finishEvaluationRun, finishEvaluationRunRoute } from './finish-evaluation-run.ts'
import { listEvaluationRuns, listEvaluationRunsRoute } from './list-evaluation-runs.ts'
import { readEvaluationRun, readEvaluationRunRoute } from './read-evaluation-run.ts'

/** Evaluation run operations. */
export const evaluationRunsApi = (services: EvaluationsServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post(
      '/v2/:entity/:project/evaluation_runs',
      ({ caller, params, body }) => createEvaluationRun(services, caller, params, body),
      createEvaluationRunRoute,
    )
    .get(
      '/v2/:entity/:project/evaluation_runs',
      ({ caller, params, query }) => listEvaluationRuns(services, caller, params, query),
      listEvaluationRunsRoute,
    )
    .get(
      '/v2/:entity/:project/evaluation_runs/:evaluation_run_id',
      ({ caller, params }) => readEvaluationRun(services, caller, params),
      readEvaluationRunRoute,
    )
    .post(
      '/v2/:entity/:project/evaluation_runs/:evaluation_run_id/finish',
      ({ caller, params, body }) => finishEvaluationRun(services, caller, params, body),
      finishEvaluationRunRoute,
    )
    .delete(
      '/v2/:entity/:project/evaluation_runs',
      ({ caller, params, query }) => deleteEvaluationRuns(services, caller, params, query),
      deleteEvaluationRunsRoute,
    )
