import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OpenObject } from '../../../formats/schemas/members.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { ProjectId } from '../../../lib/project-id.ts'

const answersOf = (value: string) =>
  Type.Array(
    OpenObject({
      annotation_ref: Type.String({
        maxLength: operationLimits.refCharsMax,
        description: 'Ref of the annotation spec',
      }),
      value: Type.Unknown({ description: value }),
    }),
    { maxItems: operationLimits.queueScorersMax },
  )

export const Decision = OpenObject({
  project_id: ProjectId,
  answers: answersOf('A value that its `field_schema` allows, or null: cannot be decided'),
  reason: Nullable(
    Type.String({ maxLength: operationLimits.noteCharsMax, description: 'Why; the reviewers can read it' }),
  ),
  replace: Nullable(Type.Boolean({ default: false, description: 'Replace the decision of another person' })),
})
export type Decision = Static<typeof Decision>

export const SettledQueue = Type.Object({
  stored_count: Type.Integer({ description: 'Final answers stored by this request' }),
  removed_count: Type.Integer({ description: 'Final answers on which the reviewers no longer agree' }),
  final_count: Type.Integer({ description: 'Final answers in the queue now, decided ones included' }),
})
export type SettledQueue = Static<typeof SettledQueue>

export const KnownAnswers = OpenObject({
  project_id: ProjectId,
  answers: answersOf('The right answer; an empty list makes the item an ordinary one'),
})
export type KnownAnswers = Static<typeof KnownAnswers>

const GoldItem = Type.Object({
  item_id: Type.String(),
  call_id: Type.String(),
  answers: Type.Array(Type.Object({ annotation_ref: Type.String(), value: Type.Unknown() })),
})

/** How many known answers a person has given. */
const GoldReviewer = Type.Object({
  user_id: Type.String(),
  answered: Type.Integer({ description: 'Gold items that the person has answered' }),
  right: Type.Integer({ description: 'Those of which every known answer was given' }),
})

export const GoldItems = Type.Object({ items: Type.Array(GoldItem), reviewers: Type.Array(GoldReviewer) })
