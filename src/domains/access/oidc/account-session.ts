import { type Static, Type } from '@sinclair/typebox'

/**
 * The part of a sign-in through a provider that is stored in the session. Times are milliseconds
 * since 1970.
 */
export const AccountSession = Type.Object({
  /** Id of the account. */
  id: Type.String(),
  issuer: Type.String(),
  /** The provider's own id of the person. */
  subject: Type.String(),
  /** Groups as the provider last stated them. */
  groups: Type.Array(Type.String()),
  /** Whether they can be requested from the provider again without the user. */
  is_checkable: Type.Boolean(),
  checked_ms: Type.Number(),
  /** When the session ends at the latest. */
  ends_ms: Type.Number(),
  /** The tokens, encrypted with the key of the secrets. */
  sealed: Type.String(),
})
export type AccountSession = Static<typeof AccountSession>
