import { Type } from '@sinclair/typebox'
import { t } from 'elysia'

/** Which part of a list is wanted; members of a query string. */
export const pageQuery = {
  limit: Type.Optional(t.Integer({ description: 'Maximum number of results; unlimited if omitted' })),
  offset: Type.Optional(t.Integer({ description: 'Number of results to skip' })),
}

/** Several values of one name in a query string: `?name=a&name=b`. */
export const queryTexts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))

/** As `queryTexts`, at least one. */
export const requiredQueryTexts = (description: string) => Type.Array(Type.String(), { description, minItems: 1 })
