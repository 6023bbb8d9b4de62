import { Type } from '@sinclair/typebox'

/** An answer without members. */
export const Empty = Type.Object({})
