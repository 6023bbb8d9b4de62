import { type Static, Type } from '@sinclair/typebox'
import { OpenObject } from '../../../formats/schemas/members.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { ProjectId } from '../../../lib/project-id.ts'

const CallId = Type.String({ maxLength: operationLimits.idCharsMax })

/** Calls to be compared with each other. */
const Pair = OpenObject({ call_id: CallId, compared_call_id: CallId })

export const PairsRequest = OpenObject({
  project_id: ProjectId,
  pairs: Type.Array(Pair, { maxItems: operationLimits.queueCallsPerRequestMax }),
})
export type PairsRequest = Static<typeof PairsRequest>
