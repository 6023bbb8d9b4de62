import { objectsTable } from '../../engine/tables/objects-table.ts'
import type { Cell, Row } from '../../lib/table.ts'
import { formatTime } from '../../lib/time.ts'
import type { ObjectVersion } from './model/objects.ts'
import { versionColumns } from './sql/versions.ts'

/** A version without its content. Times are microseconds. */
export interface VersionRecord {
  readonly objectId: string
  readonly digest: string
  readonly kind: 'op' | 'object'
  readonly baseClass: string | null
  readonly leafClass: string | null
  readonly versionIndex: number
  readonly sizeBytes: number
  readonly userId: string | null
  readonly createdAt: number
  readonly latestAt: number
  readonly deletedAt: number | null
  readonly isLatest: boolean
  readonly tags: readonly string[]
  readonly aliases: readonly string[]
}

/** Row id of a version. Object names contain no colon. */
export const versionId = (objectId: string, digest: string): string => `${objectId}:${digest}`

const versionCells = objectsTable.select(...versionColumns)

/** A version from the result cells of `compileVersions`. */
export function versionRecord(cells: readonly Cell[]): VersionRecord {
  const row = versionCells.read(cells)
  const [isLatest, tags, aliases] = cells.slice(versionColumns.length)
  return {
    objectId: row.object_id,
    digest: row.digest,
    kind: row.kind as 'op' | 'object',
    baseClass: row.base_object_class,
    leafClass: row.leaf_object_class,
    versionIndex: row.version_index,
    sizeBytes: row.size_bytes,
    userId: row.ext_user_id,
    createdAt: row.created_at,
    latestAt: row.latest_at,
    deletedAt: row.deleted_at,
    isLatest: isLatest === 1,
    tags: tags as readonly string[],
    aliases: aliases as readonly string[],
  }
}

/**
 * The row of a version; `valText` is null if it is deleted. See
 * docs/decisions/025-object-versions.md.
 */
export const versionRow = (projectId: string, version: VersionRecord, valText: string | null, nowMicros: number): Row =>
  objectsTable.row({
    project_id: projectId,
    id: versionId(version.objectId, version.digest),
    object_id: version.objectId,
    digest: version.digest,
    kind: version.kind,
    base_object_class: version.baseClass,
    leaf_object_class: version.leafClass,
    version_index: version.versionIndex,
    val: valText,
    size_bytes: version.sizeBytes,
    ext_user_id: version.userId,
    created_at: version.createdAt,
    latest_at: version.latestAt,
    deleted_at: version.deletedAt,
    written_at: nowMicros,
  })

/** A version in API form, without its content. */
export const versionMembers = (
  projectId: string,
  version: VersionRecord,
  { withSize, withLabels }: { withSize: boolean; withLabels: boolean },
): Omit<ObjectVersion, 'val'> => ({
  project_id: projectId,
  object_id: version.objectId,
  created_at: formatTime(version.createdAt),
  deleted_at: version.deletedAt === null ? null : formatTime(version.deletedAt),
  digest: version.digest,
  version_index: version.versionIndex,
  is_latest: version.isLatest ? 1 : 0,
  kind: version.kind,
  base_object_class: version.baseClass,
  leaf_object_class: version.leafClass,
  ext_user_id: version.userId,
  size_bytes: withSize ? version.sizeBytes : null,
  tags: withLabels ? [...version.tags] : null,
  aliases: withLabels ? [...version.aliases] : null,
})
