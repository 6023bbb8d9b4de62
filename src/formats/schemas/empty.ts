import { Type } from '@sinclair/typebox'

/** A response without members. */
export const Empty = Type.Object({})
