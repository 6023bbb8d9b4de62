import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { RulesAnswer } from '../../model/rules.ts'
import type { Services } from '../../services.ts'
import { OfProject } from './rule-path.ts'

export const queryRulesRoute = {
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

export const queryRules = (services: Services, caller: Caller, { project_id }: Static<typeof OfProject>) => ({
  rules: services.rules.list(caller.read(project_id)),
})
