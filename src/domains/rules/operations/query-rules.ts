import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { RulesAnswer } from '../model/rules.ts'
import { OfProject } from './rule-path.ts'
import type { RulesServices } from './services.ts'

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

export const queryRules = (services: RulesServices, caller: Caller, { project_id }: Static<typeof OfProject>) => ({
  rules: services.rules.list(caller.read(project_id)),
})
