import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OpenObject } from '../../../formats/schemas/members.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { TimeText } from '../../../lib/time.ts'
import { QueueItem } from './annotation-queues.ts'

/** How long a claimed item is kept for a reviewer who does not renew. */
export const leaseSecondsUsual = 300

const Reviewers = Type.Integer({ minimum: 1, maximum: 5, description: 'How many people answer each item' })
const Guidelines = Type.String({
  maxLength: operationLimits.queueDescriptionCharsMax,
  description: 'What reviewers should look for, in Markdown',
})
const LeaseSeconds = Type.Integer({
  minimum: 1,
  maximum: 3_600,
  description: 'How long a claimed item is kept for a reviewer who does not renew',
})

const AssignedTo = Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
  maxItems: operationLimits.queueReviewersMax,
  uniqueItems: true,
  description: 'Ids of the people who can claim its items; empty: everyone whose key can write',
})

/** How a queue is reviewed. */
export const ReviewSettings = Type.Object({
  reviewers_per_item: Reviewers,
  guidelines: Guidelines,
  lease_seconds: LeaseSeconds,
  assigned_to: AssignedTo,
})
export type ReviewSettings = Static<typeof ReviewSettings>

export const ReviewUpdate = OpenObject({
  project_id: ProjectId,
  reviewers_per_item: Nullable(Reviewers),
  guidelines: Nullable(Guidelines),
  lease_seconds: Nullable(LeaseSeconds),
  assigned_to: Nullable(AssignedTo),
})

/** Somebody who can be asked to review. */
export const AssignablePerson = Type.Object({
  user_id: Type.String(),
  name: Type.String({ description: 'Name of the API key or account' }),
  is_account: Type.Boolean({
    description: 'Whether they sign in without a key: what they may do is known when they do',
  }),
})
export type AssignablePerson = Static<typeof AssignablePerson>

export const ClaimRequest = OpenObject({
  project_id: ProjectId,
  item_id: Nullable(Type.String({ description: 'This item, also if you have answered it: to change the answer' })),
  except: Nullable(
    Type.Array(Type.String(), { maxItems: 100, description: 'Items that are not wanted, such as the one on screen' }),
  ),
})
export type ClaimRequest = Static<typeof ClaimRequest>

/** A lease on an item. */
const Lease = Type.Object({ item: QueueItem, expires_at: TimeText, lease_seconds: LeaseSeconds })
export type Lease = Static<typeof Lease>

export const Claim = Type.Object({
  claim: Type.Union([Lease, Type.Null()], { description: 'null if nothing is left for you now' }),
  yours: Type.Integer({ description: 'Items that you have answered' }),
  left: Type.Integer({ description: 'Items that lack an answer and that you have neither answered nor skipped' }),
})
export type Claim = Static<typeof Claim>

export const OfProjectBody = OpenObject({ project_id: ProjectId })

export const Submission = OpenObject({
  project_id: ProjectId,
  answers: Type.Array(
    OpenObject({
      annotation_ref: Type.String({
        maxLength: operationLimits.refCharsMax,
        description: 'Ref of the annotation spec',
      }),
      value: Type.Unknown({ description: 'A value that its `field_schema` allows' }),
    }),
    { maxItems: operationLimits.queueScorersMax },
  ),
  note: Nullable(Type.String({ maxLength: operationLimits.noteCharsMax })),
})
export type Submission = Static<typeof Submission>

export const Skip = OpenObject({
  project_id: ProjectId,
  reason: Type.String({
    maxLength: operationLimits.noteCharsMax,
    description: 'Why it cannot be judged; may be empty',
  }),
})
