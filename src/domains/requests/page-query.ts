import { Type } from '@sinclair/typebox'
import { t } from 'elysia'

/** Paging parameters of a query string. */
export const pageQuery = {
  limit: Type.Optional(t.Integer({ description: 'Maximum number of results; unlimited if omitted' })),
  offset: Type.Optional(t.Integer({ description: 'Number of results to skip' })),
}

/** A query parameter that can be repeated: `?name=a&name=b`. */
export const queryTexts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))

/** As `queryTexts`, with at least one value. */
export const requiredQueryTexts = (description: string) => Type.Array(Type.String(), { description, minItems: 1 })
