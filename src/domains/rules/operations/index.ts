import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { byteStream } from '../../../formats/wire/byte-stream.ts'
import type { Caller } from '../../access/index.ts'
import { describeJsonLines, requestContext } from '../../requests/index.ts'
import { DryRunLine, DryRunRequest } from '../model/dry-run.ts'
import {
  CreatedRule,
  DeliveriesAnswer,
  DeliveriesRequest,
  RuleAnswer,
  RuleCreate,
  RulesAnswer,
  RuleUpdate,
} from '../model/rules.ts'
import { backfillsApi } from './backfills.ts'
import { OfProject, RulePath, type RulesServices } from './services.ts'

const dryRunRoute = {
  params: RulePath,
  body: DryRunRequest,
  detail: {
    operationId: 'rules.dryRun',
    summary: 'Try a rule that scores',
    description:
      'Runs the scorers of a rule on the newest calls that it would score: those that match and are in its sample. ' +
      'Nothing is stored, but models are asked and cost what they cost. JSON Lines: what follows, then the calls as ' +
      'they are done, then the sums. The rule may be paused, so that it can be tried before it is on.',
    tags: ['Rules'],
    responses: describeJsonLines('What the rule would do', DryRunLine),
  },
}

const encoder = new TextEncoder()

async function dryRun(
  { rules }: RulesServices,
  caller: Caller,
  ruleId: string,
  { project_id, limit }: Static<typeof DryRunRequest>,
): Promise<Response> {
  const abort = new AbortController()
  const lines = rules.dryRun(caller.write(project_id), ruleId, limit, abort.signal)
  const bytes = async function* () {
    for await (const line of lines) yield encoder.encode(`${JSON.stringify(line)}\n`)
  }
  return new Response(await byteStream(bytes(), abort), { headers: { 'content-type': 'application/jsonl' } })
}

const createRuleRoute = {
  body: RuleCreate,
  response: { 200: CreatedRule },
  detail: {
    operationId: 'rules.create',
    idempotencyKey: true,
    summary: 'Create a rule',
    description:
      'A rule is applied to calls that end after it was created. The actions `score` and `add_to_queue` handle every ' +
      'call that matches `filter` and `query`, once. The action `webhook` needs a `condition` and is called when the ' +
      'condition becomes true and when it becomes false again. Private hosts are refused unless the ' +
      'operator allows them. `rules.dryRun` tries a rule that is created paused before it is on.',
    tags: ['Rules'],
  },
}

const createRule = async (
  services: RulesServices,
  caller: Caller,
  body: Static<typeof createRuleRoute.body>,
): Promise<Static<typeof CreatedRule>> => await services.rules.create(caller, caller.write(body.project_id), body)

const updateRuleRoute = {
  params: RulePath,
  body: RuleUpdate,
  response: { 200: RuleAnswer },
  detail: {
    operationId: 'rules.update',
    idempotencyKey: true,
    summary: 'Update, pause or resume a rule',
    description:
      'Members that are omitted or null are left unchanged, but null removes `query`. A rule that is resumed applies ' +
      'to calls that end from then on.',
    tags: ['Rules'],
  },
}

const updateRule = async (
  services: RulesServices,
  caller: Caller,
  ruleId: string,
  { project_id, ...changes }: Static<typeof RuleUpdate>,
) => ({ rule: await services.rules.update(caller.write(project_id), ruleId, { project_id, ...changes }) })

const queryDeliveriesRoute = {
  params: RulePath,
  body: DeliveriesRequest,
  response: { 200: DeliveriesAnswer },
  detail: {
    operationId: 'rules.deliveries',
    readOnly: true,
    summary: 'List the webhook requests of a rule',
    description: 'The newest first, with all attempts. The last 100 of each rule are kept.',
    tags: ['Rules'],
  },
}

const queryDeliveries = async (
  services: RulesServices,
  caller: Caller,
  ruleId: string,
  { project_id, limit }: Static<typeof DeliveriesRequest>,
) => ({ deliveries: await services.rules.listDeliveries(caller.read(project_id), ruleId, limit) })

const testRuleRoute = {
  params: RulePath,
  body: OfProject,
  response: { 200: Type.Object({ delivery_id: Type.String() }) },
  detail: {
    operationId: 'rules.test',
    idempotencyKey: true,
    summary: 'Send a test webhook',
    description: 'Delivers a webhook of type `rule.test`. The outcome is listed among the deliveries.',
    tags: ['Rules'],
  },
}

const testRule = async (
  services: RulesServices,
  caller: Caller,
  ruleId: string,
  { project_id }: Static<typeof OfProject>,
) => ({ delivery_id: await services.rules.test(caller.write(project_id), ruleId) })

const deleteRuleRoute = {
  params: RulePath,
  query: OfProject,
  response: { 200: RuleAnswer },
  detail: {
    operationId: 'rules.delete',
    summary: 'Delete a rule',
    description: 'Returns the rule as it was. Its deliveries are deleted too; its results are kept.',
    tags: ['Rules'],
  },
}

const deleteRule = async (services: RulesServices, caller: Caller, ruleId: string, projectId: string) => ({
  rule: await services.rules.delete(caller.write(projectId), ruleId),
})

const queryRulesRoute = {
  body: OfProject,
  response: { 200: RulesAnswer },
  detail: {
    operationId: 'rules.query',
    readOnly: true,
    summary: 'List the rules of a project',
    description: 'The oldest first, each with its status.',
    tags: ['Rules'],
  },
}

const queryRules = (services: RulesServices, caller: Caller, { project_id }: Static<typeof OfProject>) => ({
  rules: services.rules.list(caller.read(project_id)),
})

const readRuleRoute = {
  params: RulePath,
  query: OfProject,
  response: { 200: RuleAnswer },
  detail: { operationId: 'rules.read', summary: 'Get a rule and its status', tags: ['Rules'] },
}

const readRule = (services: RulesServices, caller: Caller, ruleId: string, projectId: string) => ({
  rule: services.rules.read(caller.read(projectId), ruleId),
})

/** Rules: what the server does with calls as they arrive. */
export const rulesApi = (services: RulesServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post('/rules', ({ caller, body }) => createRule(services, caller, body), createRuleRoute)
    .post('/rules/query', ({ caller, body }) => queryRules(services, caller, body), queryRulesRoute)
    .get(
      '/rules/:rule_id',
      ({ caller, params, query }) => readRule(services, caller, params.rule_id, query.project_id),
      readRuleRoute,
    )
    .put(
      '/rules/:rule_id',
      ({ caller, params, body }) => updateRule(services, caller, params.rule_id, body),
      updateRuleRoute,
    )
    .delete(
      '/rules/:rule_id',
      ({ caller, params, query }) => deleteRule(services, caller, params.rule_id, query.project_id),
      deleteRuleRoute,
    )
    .post(
      '/rules/:rule_id/test',
      ({ caller, params, body }) => testRule(services, caller, params.rule_id, body),
      testRuleRoute,
    )
    .post(
      '/rules/:rule_id/dry_run',
      ({ caller, params, body }) => dryRun(services, caller, params.rule_id, body),
      dryRunRoute,
    )
    .use(backfillsApi(services))
    .post(
      '/rules/:rule_id/deliveries/query',
      ({ caller, params, body }) => queryDeliveries(services, caller, params.rule_id, body),
      queryDeliveriesRoute,
    )
