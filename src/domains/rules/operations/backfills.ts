import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller } from '../../access/index.ts'
import { requestContext } from '../../requests/index.ts'
import { BackfillAnswer, BackfillCreate, BackfillsAnswer } from '../model/backfills.ts'
import { OfProject, RulePath, type RulesServices } from './services.ts'

const startBackfillRoute = {
  params: RulePath,
  body: BackfillCreate,
  response: { 200: BackfillAnswer },
  detail: {
    operationId: 'rules.startBackfill',
    idempotencyKey: true,
    summary: 'Score stored calls by a rule',
    description:
      'Starts a job that scores the calls that started within a time range, match the rule and are in its sample. ' +
      'Those that the rule has scored are left as they are, so that it can be repeated. `daily_cost_max` does not ' +
      'apply; `cost_max` is a limit of its own. One backfill of a rule at a time.',
    tags: ['Rules'],
  },
}

const startBackfill = async (
  { rules }: RulesServices,
  caller: Caller,
  ruleId: string,
  body: Static<typeof BackfillCreate>,
) => ({ backfill: await rules.startBackfill(caller, caller.write(body.project_id), ruleId, body) })

const queryBackfillsRoute = {
  params: RulePath,
  body: OfProject,
  response: { 200: BackfillsAnswer },
  detail: {
    operationId: 'rules.backfills',
    readOnly: true,
    summary: 'List the backfills of a rule',
    description: 'The last 20, the newest first, and how far each has come.',
    tags: ['Rules'],
  },
}

const queryBackfills = async (
  { rules }: RulesServices,
  caller: Caller,
  ruleId: string,
  { project_id }: Static<typeof OfProject>,
) => ({ backfills: await rules.listBackfills(caller.read(project_id), ruleId) })

const BackfillPath = Type.Composite([RulePath, Type.Object({ backfill_id: Type.String() })])

const cancelBackfillRoute = {
  params: BackfillPath,
  body: OfProject,
  response: { 200: BackfillAnswer },
  detail: {
    operationId: 'rules.cancelBackfill',
    idempotencyKey: true,
    summary: 'Cancel a backfill',
    description: 'Scores that were given are kept.',
    tags: ['Rules'],
  },
}

const cancelBackfill = async (
  { rules }: RulesServices,
  caller: Caller,
  { rule_id, backfill_id }: Static<typeof BackfillPath>,
  { project_id }: Static<typeof OfProject>,
) => ({ backfill: await rules.cancelBackfill(caller.write(project_id), rule_id, backfill_id) })

/** Backfills: rules on calls that are stored already. */
export const backfillsApi = (services: RulesServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post(
      '/rules/:rule_id/backfills',
      ({ caller, params, body }) => startBackfill(services, caller, params.rule_id, body),
      startBackfillRoute,
    )
    .post(
      '/rules/:rule_id/backfills/query',
      ({ caller, params, body }) => queryBackfills(services, caller, params.rule_id, body),
      queryBackfillsRoute,
    )
    .post(
      '/rules/:rule_id/backfills/:backfill_id/cancel',
      ({ caller, params, body }) => cancelBackfill(services, caller, params, body),
      cancelBackfillRoute,
    )
