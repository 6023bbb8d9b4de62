import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { OfProject, RulePath } from './rule-path.ts'
import type { RulesServices } from './services.ts'

export const testRuleRoute = {
  params: RulePath,
  body: OfProject,
  response: { 200: Type.Object({ delivery_id: Type.String() }) },
  detail: {
    operationId: 'rules.test',
    idempotencyKey: true,
    summary: 'Send a test webhook',
    description: 'Has a webhook of type `rule.test` delivered. What came of it is listed among the deliveries.',
    tags: ['Rules'],
  },
}

export const testRule = async (
  services: RulesServices,
  caller: Caller,
  ruleId: string,
  { project_id }: Static<typeof OfProject>,
) => ({ delivery_id: await services.rules.test(caller.write(project_id), ruleId) })
