import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { ProjectPath, projectOfPath } from '../../../../formats/body/project-path.ts'
import { byteStream, encodeTexts, plainTexts } from '../../../../formats/wire/byte-stream.ts'
import type { Caller } from '../../../access/index.ts'
import { requestContext } from '../../../requests/index.ts'
import { ComparedRows, ComparedRowsRequest, Comparison, ComparisonRequest } from '../../model/comparison.ts'
import { EvalResults, EvalResultsRequest } from '../../model/eval-results.ts'
import type { EvaluationsServices } from '../services.ts'

const description =
  'Groups the trials of several evaluations by dataset row. Filters and sort keys accept `scores.<scorer>…`, ' +
  '`inputs.…`, `outputs` with or without a path, and `row_digest`. The summary covers all rows, regardless ' +
  'of the filters.'

const queryEvalResultsRoute = {
  params: ProjectPath,
  body: EvalResultsRequest,
  response: { 200: EvalResults },
  detail: {
    operationId: 'evalResults.query',
    readOnly: true,
    summary: 'Compare evaluations',
    description,
    tags: ['Eval Results'],
  },
}

async function queryEvalResults(
  services: EvaluationsServices,
  caller: Caller,
  path: ProjectPath,
  body: Static<typeof queryEvalResultsRoute.body>,
) {
  const abort = new AbortController()
  const texts = services.evaluations.results.query(caller.read(projectOfPath(path)), body, abort.signal)
  const stream = await byteStream(encodeTexts(texts, plainTexts), abort, services.streams.shouldYield)
  return new Response(stream, { headers: { 'content-type': 'application/json' } })
}

const compareRoute = {
  body: ComparisonRequest,
  response: { 200: Comparison },
  detail: {
    operationId: 'evaluations.compare',
    readOnly: true,
    summary: 'Test runs against a baseline',
    description:
      'Pairs the rows of the runs by their digest, after averaging the trials of each row, and says for each score ' +
      'whether a run is better or worse than the baseline, the same, or whether the rows cannot tell. Rates have ' +
      "Wilson's interval and McNemar's exact test, other scores the percentile bootstrap and a bootstrap t test with " +
      "a fixed seed; p-values are corrected by Holm's method. Rows that are missing, failed or have no score are " +
      'counted, and never count as 0.',
    tags: ['Evaluations'],
  },
}

const compareEvaluations = (
  services: EvaluationsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof compareRoute.body>,
) => services.evaluations.comparison.compare(caller.read(body.project_id), body, signal)

const comparedRowsRoute = {
  body: ComparedRowsRequest,
  response: { 200: ComparedRows },
  detail: {
    operationId: 'evaluations.compareRows',
    readOnly: true,
    summary: 'Rows of compared runs',
    description:
      'Pages through the rows of several runs side by side: sorted by loss or gain against the baseline, only ' +
      'regressions, changes or disagreements, filtered by their columns. Also averages the scores over the rows that ' +
      'match, and by the values of a column.',
    tags: ['Evaluations'],
  },
}

const compareRows = (
  services: EvaluationsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof comparedRowsRoute.body>,
) => services.evaluations.comparedRows.query(caller.read(body.project_id), body, signal)

/** Comparison of evaluations. */
export const evalResultsApi = (services: EvaluationsServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post(
      '/v2/:entity/:project/eval_results/query',
      ({ caller, params, body }) => queryEvalResults(services, caller, params, body),
      queryEvalResultsRoute,
    )
    .post(
      '/evaluations/compare',
      ({ caller, request, body }) => compareEvaluations(services, caller, request, body),
      compareRoute,
    )
    .post(
      '/evaluations/compare_rows',
      ({ caller, request, body }) => compareRows(services, caller, request, body),
      comparedRowsRoute,
    )
