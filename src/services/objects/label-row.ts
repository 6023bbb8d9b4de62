import { type Row, rowOf } from '../../model/table.ts'
import { labelsTable } from './labels-table.ts'

/** A tag or alias of a version. */
export interface Label {
  readonly projectId: string
  readonly type: 'tag' | 'alias'
  readonly objectId: string
  readonly digest: string
  readonly name: string
}

/** An alias points at one version of its object at a time; a tag may be on many. Names of objects hold no slash. */
const labelId = ({ type, objectId, digest, name }: Label): string =>
  type === 'alias' ? `alias/${objectId}/${name}` : `tag/${objectId}/${digest}/${name}`

export const labelRow = (label: Label, userId: string, nowMicros: number): Row =>
  rowOf(labelsTable, {
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
  rowOf(labelsTable, {
    project_id: label.projectId,
    id: labelId(label),
    object_id: label.objectId,
    created_at: nowMicros,
    deleted_at: nowMicros,
  })
