import { Elysia } from 'elysia'
import type { RequestContext } from '../../requests/request-context.ts'
import { createRule, createRuleRoute } from './create-rule.ts'
import { deleteRule, deleteRuleRoute } from './delete-rule.ts'
import { queryDeliveries, queryDeliveriesRoute } from './query-deliveries.ts'
import { queryRules, queryRulesRoute } from './query-rules.ts'
import { readRule, readRuleRoute } from './read-rule.ts'
import type { RulesServices } from './services.ts'
import { testRule, testRuleRoute } from './test-rule.ts'
import { updateRule, updateRuleRoute } from './update-rule.ts'

/** Rules: what the server does with calls as they arrive. */
export const rulesApi = (services: RulesServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
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
      '/rules/:rule_id/deliveries/query',
      ({ caller, params, body }) => queryDeliveries(services, caller, params.rule_id, body),
      queryDeliveriesRoute,
    )
