import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { ProjectPath, projectOfPath } from '../../../../formats/body/project-path.ts'
import { byteStream, encodeTexts, plainTexts } from '../../../../formats/wire/byte-stream.ts'
import type { Caller } from '../../../access/index.ts'
import { requestContext } from '../../../requests/index.ts'
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

/** Comparison of evaluations. */
export const evalResultsApi = (services: EvaluationsServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post(
      '/v2/:entity/:project/eval_results/query',
      ({ caller, params, body }) => queryEvalResults(services, caller, params, body),
      queryEvalResultsRoute,
    )
