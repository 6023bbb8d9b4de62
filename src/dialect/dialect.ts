import type { TSchema } from '@sinclair/typebox'
import type { DialectName } from '../config.ts'
import { toVendorName } from './names.ts'
import { RefWriter } from './ref-writer.ts'
import { renameSchema } from './rename-schema.ts'
import { spellings } from './spellings.ts'

/** How the server names what it answers and what it writes for its clients. There is one per process. */
export interface Dialect {
  readonly name: DialectName
  /** What clients call a declared member of requests and answers. */
  readonly nameOf: (member: string) => string
  /** What clients call the server's own member in `summary` and `attributes`. */
  readonly namespace: string
  /** First segment of the built-in feedback types, as in `ext.reaction.1`. */
  readonly feedbackPrefix: string
  readonly refs: RefWriter
  /** The schema that clients know `schema` by. The argument is left unchanged. */
  readonly schemaOf: <Schema extends TSchema>(schema: Schema) => Schema
  /** Op name of a call that the server makes itself: `completions_create` is `ext.completions_create`. */
  readonly opName: (name: string) => string
  /** What clients call one of the server's own classes, given as `Ext…`; other names stay. */
  readonly className: (name: string) => string
  /** The members that mark an object as a custom value of this kind. */
  readonly customValue: (type: string) => Readonly<Record<string, unknown>>
  /** Clients of this dialect look up users and projects in GraphQL. */
  readonly hasAccountGraph: boolean
}

const dialectOf = (name: DialectName, members: Pick<Dialect, 'nameOf' | 'schemaOf' | 'hasAccountGraph'>): Dialect => {
  const { namespace, feedbackPrefix, refScheme, opPrefix, classPrefix, customType, customTypeMember } = spellings[name]
  return {
    ...members,
    name,
    namespace,
    feedbackPrefix,
    refs: new RefWriter(refScheme),
    opName: (op) => `${opPrefix}.${op}`,
    className: (neutral) => neutral.replace(/^Ext(?=[A-Z])/, classPrefix),
    customValue: (type) => ({ _type: customType, [customTypeMember]: { type } }),
  }
}

export const dialects: Readonly<Record<DialectName, Dialect>> = {
  ext: dialectOf('ext', { nameOf: (member) => member, schemaOf: (schema) => schema, hasAccountGraph: false }),
  weave: dialectOf('weave', { nameOf: toVendorName, schemaOf: renameSchema, hasAccountGraph: true }),
}
