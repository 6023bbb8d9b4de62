import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OpenObject } from '../../../formats/schemas/members.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { TimeText } from '../../../lib/time.ts'

const State = Type.Union([Type.Literal('completed'), Type.Literal('skipped')])

export const FinishedRequest = OpenObject({
  project_id: ProjectId,
  mine: Nullable(Type.Boolean({ description: 'What you finished; otherwise what anybody did' })),
  state: Nullable(State),
  limit: Nullable(Type.Integer({ minimum: 0, maximum: operationLimits.finishedItemsMax, default: 100 })),
  offset: Nullable(Type.Integer({ minimum: 0 })),
})
export type FinishedRequest = Static<typeof FinishedRequest>

/** An item that a person has answered or skipped. */
export const FinishedItem = Type.Object({
  item_id: Type.String(),
  call_id: Type.String(),
  call_op_name: Type.String(),
  position_in_queue: Type.Integer({ description: '1-based, in the order in which items were added' }),
  user_id: Type.String(),
  state: State,
  reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it was skipped; may be empty' }),
  finished_at: TimeText,
})
export type FinishedItem = Static<typeof FinishedItem>
