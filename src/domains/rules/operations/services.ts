import { Type } from '@sinclair/typebox'
import { OpenObject } from '../../../formats/schemas/members.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import type { Rules } from '../rules.ts'

/** The services that these operations are given. */
export interface RulesServices {
  readonly rules: Rules
}

/** Path parameters of operations on one rule. */
export const RulePath = Type.Object({ rule_id: Type.String() })

/** The project of a rule, in a query string or a body. */
export const OfProject = OpenObject({ project_id: ProjectId })
