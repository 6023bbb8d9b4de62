import type { Snapshot } from '../../engine/reads/snapshot.ts'
import { DomainError, tooMany } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import type { Sql } from '../../lib/sql.ts'
import { parseSort } from '../../query/sort.ts'
import { parsePage } from '../../query/table-plan.ts'
import type { ProjectReader } from '../access/index.ts'
import type { ObjectsRequest } from './model/objects.ts'
import { type VersionsPlan, versionsOrder } from './plan/versions-plan.ts'
import type { VersionCells } from './sql/versions.ts'
import { compileKeptVersions } from './sql/versions.ts'
import { type VersionRecord, versionRecord } from './version-row.ts'

/** Parses a versions query. @throws DomainError InvalidRequest, InvalidField */
export function planVersions(
  { projectId }: ProjectReader,
  { filter, ...request }: Omit<ObjectsRequest, 'project_id'>,
): VersionsPlan {
  const list = (member: ListMember): readonly string[] => bounded(member, filter?.[member] ?? [])
  const isOp = filter?.is_op ?? undefined
  return {
    projectId,
    objectIds: list('object_ids'),
    kind: isOp === undefined ? undefined : isOp ? 'op' : 'object',
    withDeleted: false,
    latestOnly: filter?.latest_only === true,
    baseClasses: list('base_object_classes'),
    notBaseClasses: list('exclude_base_object_classes'),
    leafClasses: list('leaf_object_classes'),
    tags: list('tags'),
    aliases: list('aliases'),
    selectors: [],
    withLabels: request.include_tags_and_aliases === true,
    likeliestFirst: false,
    sort: parseSort(request.sort_by, versionsOrder),
    ...parsePage(request),
  }
}

type ListMember =
  | 'object_ids'
  | 'base_object_classes'
  | 'exclude_base_object_classes'
  | 'leaf_object_classes'
  | 'tags'
  | 'aliases'

function bounded(member: ListMember, values: readonly string[]): readonly string[] {
  if (values.length <= operationLimits.filterValuesMax) return values
  throw new DomainError(
    'InvalidRequest',
    tooMany(`values in \`filter.${member}\``, values.length, operationLimits.filterValuesMax),
  )
}

const keptTable = 'queried_versions'

/**
 * Versions without content, in order, in batches. Most results are one window; larger ones are kept
 * by DuckDB, so that memory stays constant.
 */
export async function* versionWindows(
  snapshot: Snapshot,
  plan: VersionsPlan,
  compile: (plan: VersionsPlan) => Sql<VersionCells>,
): AsyncGenerator<VersionRecord[]> {
  const read = async (sql: Sql<VersionCells>) => (await snapshot.rows(sql)).map(versionRecord)
  const size = operationLimits.versionsWindow
  const isOne = plan.limit !== undefined && plan.limit <= size
  const first = await read(compile(isOne ? plan : { ...plan, limit: size }))
  yield first
  if (isOne || first.length < size) return
  await snapshot.createTempTable(keptTable, compile(plan))
  for (let from = size; ; from += size) {
    const at = plan.offset + from
    const window = await read(compileKeptVersions(keptTable, at, at + size))
    if (window.length > 0) yield window
    if (window.length < size) return
  }
}

/**
 * Splits versions into runs whose contents fit in memory easily; a larger version is a run by
 * itself.
 */
export function* bySize<Sized extends { readonly sizeBytes: number }>(versions: readonly Sized[]): Generator<Sized[]> {
  let some: Sized[] = []
  let bytes = 0
  for (const version of versions) {
    if (some.length > 0 && bytes + version.sizeBytes > operationLimits.contentsBatchBytes) {
      yield some
      some = []
      bytes = 0
    }
    some.push(version)
    bytes += version.sizeBytes
  }
  if (some.length > 0) yield some
}
