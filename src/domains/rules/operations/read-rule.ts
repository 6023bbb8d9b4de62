import type { Caller } from '../../access/caller.ts'
import { RuleAnswer } from '../model/rules.ts'
import { OfProject, RulePath } from './rule-path.ts'
import type { RulesServices } from './services.ts'

export const readRuleRoute = {
  params: RulePath,
  query: OfProject,
  response: { 200: RuleAnswer },
  detail: { operationId: 'rules.read', summary: 'Get a rule and its status', tags: ['Rules'] },
}

export const readRule = (services: RulesServices, caller: Caller, ruleId: string, projectId: string) => ({
  rule: services.rules.read(caller.read(projectId), ruleId),
})
