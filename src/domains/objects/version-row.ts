import { labelsTable, objectsTable } from '../../engine/tables/objects-table.ts'
import type { Row } from '../../lib/table.ts'
import { formatTime } from '../../lib/time.ts'
import { looksLikeDigest } from '../../runtime/digest.ts'
import type { ObjectVersion } from './model/objects.ts'
import type { VersionSelector } from './plan/versions-plan.ts'
import type { VersionCells } from './sql/versions.ts'

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

/**
 * Parses how a request names a version: `latest`, `v<number>`, a digest (43 letters and digits, or
 * 64 hexadecimal digits: never an alias), or else an alias.
 */
export function parseVersionSelector(text: string): VersionSelector {
  if (text === 'latest') return { by: 'latest' }
  if (looksLikeDigest(text)) return { by: 'digest', text }
  const index = versionIndexOf(text)
  return index === undefined ? { by: 'named', text } : { by: 'index', index }
}

/** Like `parseVersionSelector`, without aliases. */
export function parseExactSelector(text: string): VersionSelector {
  const selector = parseVersionSelector(text)
  return selector.by === 'named' ? { by: 'digest', text } : selector
}

/** The number in `v<number>`, with any leading zeros; undefined for other text. */
function versionIndexOf(text: string): number | undefined {
  if (!/^v[+-]?\d+$/.test(text)) return undefined
  // No version has a larger number.
  return Math.max(-1, Math.min(Number(text.slice(1)), Number.MAX_SAFE_INTEGER))
}

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

/** A version from a row of `compileVersions`. */
export function versionRecord(row: VersionCells): VersionRecord {
  return {
    objectId: row.object_id,
    digest: row.digest,
    kind: row.kind === 'op' ? 'op' : 'object',
    baseClass: row.base_object_class,
    leafClass: row.leaf_object_class,
    versionIndex: row.version_index,
    sizeBytes: row.size_bytes,
    userId: row.ext_user_id,
    createdAt: row.created_at,
    latestAt: row.latest_at,
    deletedAt: row.deleted_at,
    isLatest: row.is_latest === 1,
    tags: row.tags,
    aliases: row.aliases,
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
