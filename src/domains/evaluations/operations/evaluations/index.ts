import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { Empty, Nullable, OpenObject } from '../../../../formats/schemas/members.ts'
import { jobLimits } from '../../../../lib/limits/jobs.ts'
import { operationLimits } from '../../../../lib/limits/operations.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/index.ts'
import { requestContext } from '../../../requests/index.ts'
import { EvaluationStatus } from '../../model/evaluation-runs.ts'
import { RowChoice } from '../../model/row-choice.ts'
import { RunList, RunListRequest } from '../../model/run-list.ts'
import type { EvaluationsServices } from '../services.ts'

const rescoreRoute = {
  body: OpenObject({
    project_id: ProjectId,
    source_evaluation_run_id: Type.String({ description: 'Evaluation run whose predictions are scored again' }),
    scorer_refs: Type.Array(Type.String(), { minItems: 1, description: 'Scorer refs' }),
    ext_user_id: Nullable(Type.String({ description: 'Set by the server' })),
  }),
  response: { 200: Type.Object({ call_id: Type.String(), evaluation_run_id: Type.String() }) },
  detail: {
    operationId: 'evaluations.rescore',
    idempotencyKey: true,
    summary: 'Re-score an evaluation run',
    description:
      'Creates a new run from the predictions of an earlier one with other scorers; the model is not ' +
      'called again. Both ids in the response are the id of the new run.',
    tags: ['Evaluations'],
  },
}

async function startRescoring(
  services: EvaluationsServices,
  caller: Caller,
  { project_id, source_evaluation_run_id, scorer_refs }: Static<typeof rescoreRoute.body>,
) {
  const request = { source_evaluation_run_id, scorer_refs }
  const id = await services.evaluationEngine.rescore(caller, caller.write(project_id), request)
  return { call_id: id, evaluation_run_id: id }
}

const pace = {
  parallel: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: jobLimits.trialsAtOnceMax,
      description: 'Rows processed at a time; default: 4',
    }),
  ),
  cost_limit: Nullable(
    Type.Number({
      exclusiveMinimum: 0,
      description:
        'USD that models and judges may cost: the run stops once they do, after the rows in progress. Models ' +
        'without a price count as free',
    }),
  ),
}

const evaluateModelRoute = {
  body: OpenObject({
    project_id: ProjectId,
    evaluation_ref: Type.String({ description: 'Evaluation ref' }),
    model_ref: Type.String({ description: 'Model ref' }),
    rows: Nullable(RowChoice),
    ...pace,
    ext_user_id: Nullable(Type.String({ description: 'Set by the server' })),
  }),
  response: { 200: Type.Object({ call_id: Type.String() }) },
  detail: {
    operationId: 'evaluations.evaluateModel',
    idempotencyKey: true,
    summary: 'Run an evaluation on the server',
    description:
      'Enqueues the evaluation and returns immediately; poll `/evaluations/status` for progress. The run ' +
      'survives server restarts. Models of class LLMStructuredCompletionModel and the built-in scorers run ' +
      'on the server; anything that needs user code fails. With `rows`, only these rows of the dataset run.',
    tags: ['Evaluations'],
  },
}

async function startEvaluation(
  services: EvaluationsServices,
  caller: Caller,
  { project_id, evaluation_ref, model_ref, rows, parallel, cost_limit }: Static<typeof evaluateModelRoute.body>,
) {
  const writer = caller.write(project_id)
  const request = { evaluation_ref, model_ref, rows, parallel, cost_limit }
  return { call_id: await services.evaluationEngine.evaluateModel(caller, writer, request) }
}

const countRowsRoute = {
  body: OpenObject({
    project_id: ProjectId,
    dataset_ref: Type.String({ description: 'Dataset ref' }),
    rows: Type.Array(RowChoice, { maxItems: operationLimits.countedChoicesMax }),
  }),
  response: {
    200: Type.Object({
      total: Type.Integer({ description: 'All rows of the dataset' }),
      counts: Type.Array(Type.Integer(), { description: 'In the order of `rows`' }),
    }),
  },
  detail: {
    operationId: 'evaluations.countRows',
    readOnly: true,
    summary: 'Count the rows that runs would be started with',
    description: 'For each choice of rows, as `/evaluations/evaluate_model` takes it, how many the dataset has.',
    tags: ['Evaluations'],
  },
}

async function countRows(
  services: EvaluationsServices,
  caller: Caller,
  { project_id, dataset_ref, rows }: Static<typeof countRowsRoute.body>,
) {
  const { total, counts } = await services.evaluationEngine.countRows(caller.read(project_id), dataset_ref, rows)
  return { total, counts: [...counts] }
}

const resumeRoute = {
  body: OpenObject({
    project_id: ProjectId,
    call_id: Type.String({ description: 'Id of the evaluation run' }),
    retry_failed: Nullable(Type.Boolean({ default: false, description: 'Also run the rows that failed again' })),
    ...pace,
  }),
  response: { 200: Empty },
  detail: {
    operationId: 'evaluations.resume',
    idempotencyKey: true,
    summary: 'Continue an evaluation run',
    description:
      'For runs executed by the server that were paused, stopped at their limit or have failed rows. Scored rows are ' +
      'kept and not paid again; failed rows that run again are replaced. The limit is that of the whole run.',
    tags: ['Evaluations'],
  },
}

async function resumeEvaluation(
  services: EvaluationsServices,
  caller: Caller,
  { project_id, call_id, ...change }: Static<typeof resumeRoute.body>,
) {
  await services.evaluationEngine.continuation.resume(caller, caller.write(project_id), call_id, change)
  return {}
}

const pauseRoute = {
  body: OpenObject({ project_id: ProjectId, call_id: Type.String({ description: 'Id of the evaluation run' }) }),
  response: { 200: Empty },
  detail: {
    operationId: 'evaluations.pause',
    idempotencyKey: true,
    summary: 'Pause an evaluation run',
    description:
      'For runs executed by the server. Rows in progress end, and no other row begins until `/evaluations/resume` ' +
      'continues the run, also after a restart of the server. Pausing a paused run changes nothing.',
    tags: ['Evaluations'],
  },
}

async function pauseEvaluation(
  services: EvaluationsServices,
  caller: Caller,
  { project_id, call_id }: Static<typeof pauseRoute.body>,
) {
  await services.evaluationEngine.continuation.pause(caller.write(project_id), call_id)
  return {}
}

const listRunsRoute = {
  body: RunListRequest,
  response: { 200: RunList },
  detail: {
    operationId: 'evaluations.queryRuns',
    readOnly: true,
    summary: 'List evaluation runs with their results',
    description:
      'For each run its state, versions, counts of rows, the mean of each score with its interval (Wilson for rates, ' +
      'the percentile bootstrap for means), cost and median latency; also runs traced by a client SDK.',
    tags: ['Evaluations'],
  },
}

const listRuns = (
  services: EvaluationsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof listRunsRoute.body>,
) => services.evaluationRunList.query(caller.read(body.project_id), body, signal)

const scoreCallsRoute = {
  body: OpenObject({
    project_id: ProjectId,
    call_ids: Type.Array(Type.String(), { description: 'Calls to score; unknown ids are ignored' }),
    scorer_refs: Type.Array(Type.String(), { description: 'Scorer refs' }),
    ext_user_id: Nullable(Type.String({ description: 'Set by the server' })),
  }),
  response: { 200: Empty },
  detail: {
    operationId: 'calls.score',
    idempotencyKey: true,
    summary: 'Score calls',
    description:
      'Enqueues the work and returns immediately. Scorers that need user code are rejected. Each scorer ' +
      'run is recorded as a call and as feedback of type ext.runnable.<scorer> on the scored call. Calls ' +
      'that have not ended are not scored.',
    tags: ['Calls'],
  },
}

async function scoreCalls(
  services: EvaluationsServices,
  caller: Caller,
  { project_id, call_ids, scorer_refs }: Static<typeof scoreCallsRoute.body>,
) {
  await services.evaluationEngine.scoreCalls(caller, caller.write(project_id), { call_ids, scorer_refs })
  return {}
}

const cancelEvaluationRoute = {
  body: OpenObject({ project_id: ProjectId, call_id: Type.String({ description: 'Id of the evaluation run' }) }),
  response: { 200: Empty },
  detail: {
    operationId: 'evaluations.cancel',
    idempotencyKey: true,
    summary: 'Cancel an evaluation',
    description:
      'For evaluations executed by the server. Completed trials are kept, and the call of the run ends with the ' +
      'exception "Cancelled".',
    tags: ['Evaluations'],
  },
}

async function cancelEvaluation(
  services: EvaluationsServices,
  caller: Caller,
  { project_id, call_id }: Static<typeof cancelEvaluationRoute.body>,
) {
  await services.evaluationEngine.cancel(caller.write(project_id), call_id)
  return {}
}

const evaluationStatusRoute = {
  body: OpenObject({ project_id: ProjectId, call_id: Type.String({ description: 'Id of the evaluation run' }) }),
  response: { 200: Type.Object({ status: EvaluationStatus }) },
  detail: {
    operationId: 'evaluations.status',
    readOnly: true,
    summary: 'Get the status of an evaluation',
    description: 'Covers evaluations executed by the server and evaluations traced by clients.',
    tags: ['Evaluations'],
  },
}

async function readEvaluationStatus(
  services: EvaluationsServices,
  caller: Caller,
  { project_id, call_id }: Static<typeof evaluationStatusRoute.body>,
) {
  return { status: await services.evaluationEngine.status(caller.read(project_id), call_id) }
}

/** Evaluations and scorers that run on the server, and their status. */
export const evaluationsApi = (services: EvaluationsServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
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
    .post('/evaluations/count_rows', ({ caller, body }) => countRows(services, caller, body), countRowsRoute)
    .post('/evaluations/pause', ({ caller, body }) => pauseEvaluation(services, caller, body), pauseRoute)
    .post('/evaluations/resume', ({ caller, body }) => resumeEvaluation(services, caller, body), resumeRoute)
    .post(
      '/evaluations/runs/query',
      ({ caller, request, body }) => listRuns(services, caller, request, body),
      listRunsRoute,
    )
    .post('/evaluations/rescore', ({ caller, body }) => startRescoring(services, caller, body), rescoreRoute)
    .post('/evaluations/cancel', ({ caller, body }) => cancelEvaluation(services, caller, body), cancelEvaluationRoute)
    .post('/calls/score', ({ caller, body }) => scoreCalls(services, caller, body), scoreCallsRoute)
