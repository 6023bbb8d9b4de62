import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { CreatedRule, RuleCreate } from '../model/rules.ts'
import type { RulesServices } from './services.ts'

export const createRuleRoute = {
  body: RuleCreate,
  response: { 200: CreatedRule },
  detail: {
    operationId: 'rules.create',
    idempotencyKey: true,
    summary: 'Create a rule',
    description:
      'A rule is applied to calls that end after it was created. The actions `score` and `add_to_queue` handle every ' +
      'call that matches `filter` and `query`, once. The action `webhook` needs a `condition` and is called when the ' +
      'condition begins and ceases to be true. Private hosts are refused unless the operator allows them.',
    tags: ['Rules'],
  },
}

export const createRule = async (
  services: RulesServices,
  caller: Caller,
  body: Static<typeof createRuleRoute.body>,
): Promise<Static<typeof CreatedRule>> => await services.rules.create(caller, caller.write(body.project_id), body)
