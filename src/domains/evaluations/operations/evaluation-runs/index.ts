import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { ProjectPath, projectOfPath } from '../../../../formats/body/project-path.ts'
import { FreeObject, Nullable, OpenObject } from '../../../../formats/schemas/members.ts'
import type { Caller } from '../../../access/index.ts'
import {
  describeJsonLines,
  jsonLinesResponse,
  jsonTextResponse,
  pageQuery,
  queryTexts,
  requestContext,
  requiredQueryTexts,
} from '../../../requests/index.ts'
import { EvaluationRun, EvaluationRunCreate, Finished } from '../../model/evaluation-runs.ts'
import type { EvaluationsServices } from '../services.ts'

const listEvaluationRunsRoute = {
  params: ProjectPath,
  query: OpenObject({
    evaluations: queryTexts('Evaluation refs'),
    models: queryTexts('Model refs'),
    evaluation_run_ids: queryTexts('Run ids'),
    ...pageQuery,
  }),
  detail: {
    operationId: 'evaluationRuns.list',
    summary: 'List evaluation runs',
    description: 'Sorted by creation time, oldest first.',
    tags: ['Evaluation Runs'],
    responses: describeJsonLines('Evaluation runs, one per line', EvaluationRun),
  },
}

const listEvaluationRuns = (
  services: EvaluationsServices,
  caller: Caller,
  path: ProjectPath,
  query: Static<typeof listEvaluationRunsRoute.query>,
) => {
  const reader = caller.read(projectOfPath(path))
  return jsonLinesResponse(services.streams, (signal) => services.evaluations.runs.jsonLines(reader, query, signal))
}

const finishEvaluationRunRoute = {
  params: Type.Composite([ProjectPath, Type.Object({ evaluation_run_id: Type.String() })]),
  body: OpenObject({ summary: Nullable(FreeObject) }),
  response: { 200: Finished },
  detail: {
    operationId: 'evaluationRuns.finish',
    idempotencyKey: true,
    summary: 'Finish an evaluation run',
    description:
      'Summarizes the scores of all trials. Finishing a run again recomputes the summary. Runs executed by the ' +
      'server cannot be finished while they are in progress.',
    tags: ['Evaluation Runs'],
  },
}

async function finishEvaluationRun(
  services: EvaluationsServices,
  caller: Caller,
  path: Static<typeof finishEvaluationRunRoute.params>,
  body: Static<typeof finishEvaluationRunRoute.body>,
) {
  await services.evaluations.runs.finish(caller.write(projectOfPath(path)), path.evaluation_run_id, body.summary)
  return { success: true }
}

const deleteEvaluationRunsRoute = {
  params: ProjectPath,
  query: OpenObject({ evaluation_run_ids: requiredQueryTexts('Ids of evaluation runs') }),
  response: { 200: Type.Object({ num_deleted: Type.Integer() }) },
  detail: {
    operationId: 'evaluationRuns.delete',
    summary: 'Delete evaluation runs',
    description: 'Deletes the runs with all their predictions and scores. `num_deleted` counts only runs that existed.',
    tags: ['Evaluation Runs'],
  },
}

const deleteEvaluationRuns = async (
  services: EvaluationsServices,
  caller: Caller,
  path: ProjectPath,
  query: Static<typeof deleteEvaluationRunsRoute.query>,
) => ({
  num_deleted: await services.evaluations.runs.delete(caller.write(projectOfPath(path)), query.evaluation_run_ids),
})

const createEvaluationRunRoute = {
  params: ProjectPath,
  body: EvaluationRunCreate,
  response: { 200: Type.Object({ evaluation_run_id: Type.String() }) },
  detail: {
    operationId: 'evaluationRuns.create',
    idempotencyKey: true,
    summary: 'Create an evaluation run',
    description: 'The run is durable and visible as running when the response arrives. Refs are not resolved.',
    tags: ['Evaluation Runs'],
  },
}

const createEvaluationRun = async (
  services: EvaluationsServices,
  caller: Caller,
  path: ProjectPath,
  body: Static<typeof createEvaluationRunRoute.body>,
) => ({ evaluation_run_id: await services.evaluations.runs.create(caller.write(projectOfPath(path)), body) })

const readEvaluationRunRoute = {
  params: Type.Composite([ProjectPath, Type.Object({ evaluation_run_id: Type.String() })]),
  response: { 200: EvaluationRun },
  detail: {
    operationId: 'evaluationRuns.read',
    summary: 'Get an evaluation run',
    description: 'Also returns evaluations traced by a client SDK.',
    tags: ['Evaluation Runs'],
  },
}

const readEvaluationRun = async (
  services: EvaluationsServices,
  caller: Caller,
  path: Static<typeof readEvaluationRunRoute.params>,
) => jsonTextResponse(await services.evaluations.runs.read(caller.read(projectOfPath(path)), path.evaluation_run_id))

/** Evaluation run operations. */
export const evaluationRunsApi = (services: EvaluationsServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
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
