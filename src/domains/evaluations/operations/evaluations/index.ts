import { Elysia } from 'elysia'
import type { RequestContext } from '../../../requests/request-context.ts'
import type { EvaluationsServices } from '../services.ts'
import { cancelEvaluation, cancelEvaluationRoute } from './cancel-evaluation.ts'
import { evaluateModelRoute, startEvaluation } from './evaluate-model.ts'
import { evaluationStatusRoute, readEvaluationStatus } from './evaluation-status.ts'
import { rescoreRoute, startRescoring } from './rescore.ts'
import { scoreCalls, scoreCallsRoute } from './score-calls.ts'

/** Evaluations and scorers that run on the server, and their status. */
export const evaluationsApi = (services: EvaluationsServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post(
      '/evaluations/evaluate_model',
      ({ caller, body }) => startEvaluation(services, caller, body),
      evaluateModelRoute,
    )
    .post(
      '/evaluations/status',
      ({ caller, body }) => readEvaluationStatus(services, caller, body),
      evaluationStatusRoute,
    )
    .post('/evaluations/rescore', ({ caller, body }) => startRescoring(services, caller, body), rescoreRoute)
    .post('/evaluations/cancel', ({ caller, body }) => cancelEvaluation(services, caller, body), cancelEvaluationRoute)
    .post('/calls/score', ({ caller, body }) => scoreCalls(services, caller, body), scoreCallsRoute)
