import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { RuleAnswer, RuleUpdate } from '../model/rules.ts'
import { RulePath } from './rule-path.ts'
import type { RulesServices } from './services.ts'

export const updateRuleRoute = {
  params: RulePath,
  body: RuleUpdate,
  response: { 200: RuleAnswer },
  detail: {
    operationId: 'rules.update',
    idempotencyKey: true,
    summary: 'Update, pause or resume a rule',
    description:
      'Members that are omitted or null are left unchanged. A rule that is resumed applies to calls that end from ' +
      'then on.',
    tags: ['Rules'],
  },
}

export const updateRule = async (
  services: RulesServices,
  caller: Caller,
  ruleId: string,
  { project_id, ...changes }: Static<typeof RuleUpdate>,
) => ({ rule: await services.rules.update(caller.write(project_id), ruleId, { project_id, ...changes }) })
