import type { Row } from '../../kernel/table.ts'
import { labelsTable } from '../../tables/labels-table.ts'

/** A tag or alias of a version, or a digest that its content has with refs as they were sent (`name`). */
export interface Label {
  readonly projectId: string
  readonly type: 'tag' | 'alias' | 'digest'
  readonly objectId: string
  readonly digest: string
  readonly name: string
}

/** An alias and a digest point at one version of their object; a tag may be on many. Names of objects hold no slash. */
const labelId = ({ type, objectId, digest, name }: Label): string =>
  type === 'tag' ? `tag/${objectId}/${digest}/${name}` : `${type}/${objectId}/${name}`

/** Id of the row that tells which version has the digest `name` with its refs as they were sent. */
export const sentDigestId = (objectId: string, name: string): string => `digest/${objectId}/${name}`

export const labelRow = (label: Label, userId: string, nowMicros: number): Row =>
  labelsTable.row({
    project_id: label.projectId,
    id: labelId(label),
    type: label.type,
    object_id: label.objectId,
    digest: label.digest,
    name: label.name,
    ext_user_id: userId,
    created_at: nowMicros,
  })

/** Takes a label away; that there is none is no error. */
export const removalRow = (label: Label, nowMicros: number): Row =>
  labelsTable.tombstone(label.projectId, labelId(label), nowMicros)
