import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { DeliveriesAnswer, DeliveriesRequest } from '../model/rules.ts'
import { RulePath } from './rule-path.ts'
import type { RulesServices } from './services.ts'

export const queryDeliveriesRoute = {
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

export const queryDeliveries = async (
  services: RulesServices,
  caller: Caller,
  ruleId: string,
  { project_id, limit }: Static<typeof DeliveriesRequest>,
) => ({ deliveries: await services.rules.listDeliveries(caller.read(project_id), ruleId, limit) })
