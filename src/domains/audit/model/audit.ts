import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableText, OpenObject } from '../../../formats/schemas/members.ts'
import { requestLimits } from '../../../lib/limits/requests.ts'
import { TimeText } from '../../../lib/time.ts'

const AuditKind = Type.Union([
  Type.Literal('sign-in'),
  Type.Literal('admin'),
  Type.Literal('change'),
  Type.Literal('ingest'),
  Type.Literal('read'),
])

export const AuditRequest = OpenObject({
  kinds: Nullable(Type.Array(AuditKind, { maxItems: 5 })),
  ext_user_id: Nullable(Type.String({ maxLength: 128 })),
  operation: Nullable(Type.String({ maxLength: 128, examples: ['keys.create'] })),
  since: Nullable(TimeText),
  until: Nullable(TimeText),
  is_failed: Nullable(Type.Boolean({ description: 'Whether the answer was an error' })),
  limit: Nullable(
    Type.Integer({ minimum: 1, maximum: requestLimits.auditListedMax, default: requestLimits.auditListedDefault }),
  ),
  offset: Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 })),
})
export type AuditRequest = Static<typeof AuditRequest>

/** An entry of the audit log: an action and its actor. */
export const AuditEntries = Type.Object({
  entries: Type.Array(
    Type.Object({
      id: Type.String(),
      kind: AuditKind,
      operation: Type.String({ description: 'Id of the operation, as in this document' }),
      ext_user_id: Type.String({ description: 'Id of the API key or the account; empty if it was not valid' }),
      ext_username: Type.String(),
      project_ids: Type.Array(Type.String(), { description: 'Projects that were requested, at most 20' }),
      item_ids: Type.Array(Type.String(), {
        description: 'Ids that the request named, and names of keys and secrets, at most 20',
      }),
      items: Type.Integer({ description: 'Number of ids or items that the requests named' }),
      status: Type.Integer({ description: 'HTTP status' }),
      requests: Type.Integer({ description: 'More than one if requests of a minute are counted together' }),
      address: NullableText,
      request_id: NullableText,
      reason: Type.Union([Type.String(), Type.Null()], {
        description: 'Why, in the words of the person who made the change: so far of moved aliases',
      }),
      created_at: TimeText,
      last_at: TimeText,
    }),
    { description: 'Newest first' },
  ),
  has_more: Type.Boolean({ description: 'Whether `limit` has left out entries' }),
})
export type AuditEntries = Static<typeof AuditEntries>
