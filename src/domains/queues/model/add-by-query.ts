import { type Static, Type } from '@sinclair/typebox'
import { CallsQuery } from '../../../formats/schemas/calls.ts'
import { Nullable, OpenObject } from '../../../formats/schemas/members.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { QueueCalls } from './annotation-queues.ts'

const { project_id, filter, query, engine } = CallsQuery.properties

const Judgement = OpenObject({
  feedback_type: Type.String({ maxLength: operationLimits.refCharsMax, description: 'Such as `ext.runnable.judge`' }),
  path: Nullable(
    Type.String({
      maxLength: explorationLimits.fieldPathCharsMax,
      description: 'Dotted path into the payload; default: `output`, and `value` of annotations',
    }),
  ),
})
export type Judgement = Static<typeof Judgement>

const Disagreement = OpenObject({
  first: Judgement,
  second: Judgement,
  apart: Nullable(
    Type.Number({ minimum: 0, default: 0, description: 'Numbers disagree if they are further apart than this' }),
  ),
})
export type Disagreement = Static<typeof Disagreement>

export const AddByQuery = OpenObject({
  project_id,
  filter,
  query,
  disagreement: Nullable(Disagreement),
  limit: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: operationLimits.queueCallsPerRequestMax,
      default: operationLimits.queueCallsPerRequestMax,
      description: 'How many of the calls are chosen; those that are in the queue already count',
    }),
  ),
  sample_seed: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: 4_294_967_295,
      description: 'Choose at random; the same seed chooses the same calls. Default: the newest calls',
    }),
  ),
  count_only: Nullable(Type.Boolean({ default: false, description: 'Count, and add nothing' })),
  display_fields: Nullable(QueueCalls.properties.display_fields),
  engine,
})
export type AddByQuery = Static<typeof AddByQuery>

export const AddedByQuery = Type.Object({
  matched_count: Type.Integer({ description: 'Calls that match' }),
  in_queue_count: Type.Integer({ description: 'Those of them that were in the queue before' }),
  chosen_count: Type.Integer({ description: 'Calls within `limit`' }),
  added_count: Type.Integer(),
  duplicates: Type.Integer({ description: 'Chosen calls that were in the queue before' }),
})
export type AddedByQuery = Static<typeof AddedByQuery>
