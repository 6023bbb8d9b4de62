import { ownNamespaces } from '../../dialect/spellings.ts'

/** What a call of an evaluation says it is, in the server's own part of its attributes. */
export type Mark = 'evaluation_run' | 'prediction' | 'score'

type Query = Readonly<Record<string, unknown>>

/** Condition, in the query language, that the server's own attribute `name` is one of `values`, in whichever dialect it was written. */
export const ownAttributeIs = (name: string, values: readonly string[]): Query => ({
  $or: ownNamespaces.map((namespace) => ({
    $in: [{ $getField: `attributes.${namespace}.${name}` }, values.map((value) => ({ $literal: value }))],
  })),
})

/** A query for calls that bear the mark and meet all further conditions. */
export const markedQuery = (mark: Mark, ...conditions: readonly Query[]): { $expr: Query } => ({
  $expr: { $and: [ownAttributeIs(mark, ['true']), ...conditions] },
})
