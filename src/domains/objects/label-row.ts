import { labelsTable } from '../../engine/tables/labels-table.ts'
import type { Row } from '../../lib/table.ts'

/** A tag or alias of a version, or the digest of its content with refs as sent (`name`). */
export interface Label {
  readonly projectId: string
  readonly type: 'tag' | 'alias' | 'digest'
  readonly objectId: string
  readonly digest: string
  readonly name: string
}

/**
 * An alias or digest points to one version of its object; a tag may be on many. Object names
 * contain no slash.
 */
const labelId = ({ type, objectId, digest, name }: Label): string =>
  type === 'tag' ? `tag/${objectId}/${digest}/${name}` : `${type}/${objectId}/${name}`

/** Id of the row that maps the digest `name` of content with refs as sent to a version. */
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

/** Removes a label; a missing one is ignored. */
export const removalRow = (label: Label, nowMicros: number): Row =>
  labelsTable.tombstone(label.projectId, labelId(label), nowMicros)
