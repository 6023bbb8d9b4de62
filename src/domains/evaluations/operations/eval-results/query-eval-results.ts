import type { Static } from '@sinclair/typebox'
import { byteStream } from '../../../../formats/wire/byte-stream.ts'
import { encodeTexts, plainTexts } from '../../../../formats/wire/text-stream.ts'
import type { Caller } from '../../../access/caller.ts'
import { ProjectPath, projectOfPath } from '../../../requests/project-path.ts'
import { EvalResults, EvalResultsRequest } from '../../model/eval-results.ts'
import type { EvaluationsServices } from '../services.ts'

const description =
  'Groups the trials of several evaluations by dataset row. Filters and sort keys accept `scores.<scorer>…`, ' +
  '`inputs.…`, `outputs` with or without a path, and `row_digest`. The summary covers all rows, regardless ' +
  'of the filters.'

export const queryEvalResultsRoute = {
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

export async function queryEvalResults(
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
