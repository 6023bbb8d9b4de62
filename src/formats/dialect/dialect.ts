import type { TSchema } from '@sinclair/typebox'
import type { DialectName } from '../../runtime/config/configuration.ts'
import { toVendorName, toVendorPath } from './names.ts'
import { RefWriter } from './parsed-ref.ts'
import { renameSchema } from './rename-schema.ts'
import { spellings } from './spellings.ts'

/**
 * How the server names what it returns and what it writes for its clients. There is one per
 * process.
 */
export interface Dialect {
  readonly name: DialectName
  /** The clients' name for a declared member of requests and responses. */
  readonly nameOf: (member: string) => string
  /** The clients' name for a path into a call, as in `summary.ext.latency_ms`. */
  readonly pathOf: (path: string) => string
  /** The clients' name for the server's own member in `summary` and `attributes`. */
  readonly namespace: string
  /** First segment of built-in feedback types, as in `ext.reaction.1`. */
  readonly feedbackPrefix: string
  readonly refs: RefWriter
  /** The schema as clients know it. The argument is not modified. */
  readonly schemaOf: <Schema extends TSchema>(schema: Schema) => Schema
  /** Op name of a call created by the server: `completions_create` is `ext.completions_create`. */
  readonly opName: (name: string) => string
  /**
   * The clients' name for one of the server's own classes, given as `Ext…`; other names are kept.
   */
  readonly className: (name: string) => string
  /** The members that mark an object as a custom value of this kind. */
  readonly customValue: (type: string) => Readonly<Record<string, unknown>>
  /** Whether clients of this dialect look up users and projects through GraphQL. */
  readonly hasAccountGraph: boolean
}

const dialectOf = (
  name: DialectName,
  members: Pick<Dialect, 'nameOf' | 'pathOf' | 'schemaOf' | 'hasAccountGraph'>,
): Dialect => {
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

/** The dialect of a server that answers `/server_info` with this text. */
export const dialectOfServer = (info: string): DialectName =>
  info.includes(toVendorName('min_required_ext_python_version')) ? 'weave' : 'ext'

export const dialects: Readonly<Record<DialectName, Dialect>> = {
  ext: dialectOf('ext', {
    nameOf: (member) => member,
    pathOf: (path) => path,
    schemaOf: (schema) => schema,
    hasAccountGraph: false,
  }),
  weave: dialectOf('weave', {
    nameOf: toVendorName,
    pathOf: toVendorPath,
    schemaOf: renameSchema,
    hasAccountGraph: true,
  }),
}
