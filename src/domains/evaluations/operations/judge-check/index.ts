import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller } from '../../../access/index.ts'
import { requestContext } from '../../../requests/index.ts'
import { JudgeCheck, JudgeCheckRequest } from '../../model/judge-check.ts'
import type { EvaluationsServices } from '../services.ts'

const judgeCheckRoute = {
  body: JudgeCheckRequest,
  response: { 200: JudgeCheck },
  detail: {
    operationId: 'evaluations.checkJudge',
    readOnly: true,
    summary: 'Compare a judge with people',
    description:
      'Pairs the labels of a judge and of people on the trials of some runs, and returns the confusion matrix, the ' +
      "share of pairs that agree, Cohen's kappa, both with intervals of 95 %, and the trials on which they " +
      'disagree. Labels are scores, feedback on the predictions, or columns of the dataset; numbers become classes ' +
      'by `bins`. Trials that one side has not labelled are counted, and enter no figure. Without `judge` and ' +
      '`human` the response says what the runs have that may be labels.',
    tags: ['Evaluations'],
  },
}

const checkJudge = (
  services: EvaluationsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof judgeCheckRoute.body>,
) => services.judgeChecks.check(caller.read(body.project_id), body, signal)

/** Checks of judges against people. */
export const judgeCheckApi = (services: EvaluationsServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post(
      '/evaluations/judge_check',
      ({ caller, request, body }) => checkJudge(services, caller, request, body),
      judgeCheckRoute,
    )
