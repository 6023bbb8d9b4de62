import type { Caller } from '../../foundation/access/caller.ts'
import { RuleAnswer } from '../../model/rules.ts'
import type { Services } from '../../services.ts'
import { OfProject, RulePath } from './rule-path.ts'

export const readRuleRoute = {
  params: RulePath,
  query: OfProject,
  response: { 200: RuleAnswer },
  detail: { operationId: 'rules.read', summary: 'Get a rule and its status', tags: ['Rules'] },
}

export const readRule = (services: Services, caller: Caller, ruleId: string, projectId: string) => ({
  rule: services.rules.read(caller.read(projectId), ruleId),
})
