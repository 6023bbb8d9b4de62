import { type Static, Type } from '@sinclair/typebox'
import { NullableText } from '../../../formats/schemas/members.ts'

/** Those who have signed in through the OpenID provider. */
export const People = Type.Object({
  people: Type.Array(
    Type.Object({
      id: Type.String({ description: '`ext_user_id` of records that the person wrote' }),
      issuer: Type.String({ description: 'Address of the provider' }),
      name: Type.String(),
      email: NullableText,
      first_signed_in_at: Type.String({ format: 'date-time' }),
      last_signed_in_at: Type.String({ format: 'date-time' }),
      groups: Type.Array(Type.String(), {
        description: 'As the provider last stated them; empty if there is no open session',
      }),
      sessions: Type.Integer({ description: 'Open sessions' }),
      is_own: Type.Boolean({ description: 'Whether this request is of the person' }),
    }),
    { description: 'The latest sign-in first' },
  ),
})
export type People = Static<typeof People>
