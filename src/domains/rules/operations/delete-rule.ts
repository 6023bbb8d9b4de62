import type { Caller } from '../../access/caller.ts'
import { RuleAnswer } from '../model/rules.ts'
import { OfProject, RulePath } from './rule-path.ts'
import type { RulesServices } from './services.ts'

export const deleteRuleRoute = {
  params: RulePath,
  query: OfProject,
  response: { 200: RuleAnswer },
  detail: {
    operationId: 'rules.delete',
    summary: 'Delete a rule',
    description: 'Returns the rule as it was. Its deliveries are deleted too; what it did stays.',
    tags: ['Rules'],
  },
}

export const deleteRule = async (services: RulesServices, caller: Caller, ruleId: string, projectId: string) => ({
  rule: await services.rules.delete(caller.write(projectId), ruleId),
})
