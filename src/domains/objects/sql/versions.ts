import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { orderSql, pageSql } from '../../../query/sql/order.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { scopeOf } from '../../../query/sql/rows.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'
import type { VersionSelector, VersionsPlan } from '../plan/versions-plan.ts'

/** The stored columns of a version that every statement reads. */
const storedKinds = {
  object_id: 'text',
  digest: 'text',
  kind: 'text',
  base_object_class: 'text?',
  leaf_object_class: 'text?',
  version_index: 'integer',
  size_bytes: 'integer',
  ext_user_id: 'text?',
  created_at: 'time',
  latest_at: 'time',
  deleted_at: 'time?',
} as const
const versionColumns = Object.keys(storedKinds)

const versionShape = rowShape({
  ...storedKinds,
  is_latest: 'integer',
  tags: 'texts',
  aliases: 'texts',
  is_aliased: 'integer',
  /** Number of the row before paging. */
  position: 'integer',
})

/** A version without its content. */
export type VersionCells = RowOfShape<typeof versionShape>

export interface VersionRelations {
  readonly objects: Relation
  /** Undefined if the plan does not read labels. */
  readonly labels: Relation | undefined
}

/**
 * Versions without their content. The latest version of a name and kind is the one most recently
 * stored as the latest or, if that one was deleted, the newest that remains.
 */
export function compileVersions(plan: VersionsPlan, { objects, labels }: VersionRelations): Sql<VersionCells> {
  const parameters = new Parameters()
  const { projectId } = plan
  const list = versionColumns.map((name) => `t.${name}`)
  const rows = tableRowsSql(
    { relation: objects, projectId },
    list,
    [
      ...oneOf('t.object_id', plan.objectIds, parameters),
      ...(plan.kind === undefined ? [] : [`t.kind = ${parameters.bind(plan.kind)}`]),
    ],
    parameters,
  )
  const labelRows =
    labels &&
    tableRowsSql(
      { relation: labels, projectId },
      ['t.type', 't.object_id', 't.digest', 't.name'],
      oneOf('t.object_id', plan.objectIds, parameters),
      parameters,
    )
  const conditions = conditionsOf(plan, parameters)
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const order = [
    ...(plan.likeliestFirst ? ['is_aliased DESC', 'v.latest_at DESC'] : []),
    ...(plan.sort.length === 0 ? [] : [orderSql(plan.sort, scopeOf('v', plan, parameters))]),
    'v.created_at',
    'v.object_id',
    'v.kind',
    'v.version_index',
  ]
  const page = pageSql(plan, parameters)
  return {
    text: `WITH dated AS (SELECT *, max(latest_at) OVER (PARTITION BY object_id, kind) AS newest_at FROM (${rows})),
      versions AS (SELECT *, (deleted_at IS NULL AND row_number() OVER (PARTITION BY object_id, kind ORDER BY
        deleted_at IS NOT NULL, latest_at <> newest_at, created_at DESC, digest DESC) = 1) AS is_latest FROM dated)
      SELECT ${versionColumns.map((name) => `v.${name}`).join(', ')}, v.is_latest::INTEGER AS is_latest,
        ${labelsOf('tag')} AS tags,
        list_concat(CASE WHEN v.is_latest THEN ['latest'] ELSE []::VARCHAR[] END, ${labelsOf('alias')}) AS aliases,
        (${aliasedItem(plan, parameters)})::INTEGER AS is_aliased, row_number() OVER (ORDER BY ${order.join(
          ', ' + '',
        )}) - 1 AS position
      FROM versions v LEFT JOIN (${labelRows === undefined ? noLabels : labelsByVersion(labelRows)}) l
        ON l.object_id = v.object_id AND l.digest = v.digest
      ${where} ORDER BY ${order.join(', ')}${page}`,
    values: parameters.values,
    shape: versionShape,
  }
}

/**
 * The versions kept in a table of this name whose `position` is in [`from`, `to`), in order, with
 * the same columns.
 */
export const compileKeptVersions = (table: string, from: number, to: number): Sql<VersionCells> => ({
  text: `SELECT * FROM "${table}" WHERE position >= ${from} AND position < ${to} ORDER BY position`,
  values: [],
  shape: versionShape,
})

const contentShape = rowShape({ id: 'text', val: 'json?' })

/** Id (`object_id:digest`) and content as JSON text of the versions with these ids. */
export function compileContents(
  projectId: string,
  ids: readonly string[],
  relation: Relation,
): Sql<RowOfShape<typeof contentShape>> {
  const parameters = new Parameters()
  const text = tableRowsSql({ relation, projectId }, ['t.id', 't.val'], oneOf('t.id', ids, parameters), parameters)
  return { text, values: parameters.values, shape: contentShape }
}

const sizeShape = rowShape({ id: 'text', sizeBytes: 'integer' })

/** Id and content size (bytes of JSON text; 0 if deleted) of the versions with these ids. */
export function compileSizes(
  projectId: string,
  ids: readonly string[],
  relation: Relation,
): Sql<RowOfShape<typeof sizeShape>> {
  const parameters = new Parameters()
  const text = tableRowsSql(
    { relation, projectId },
    ['t.id', 't.size_bytes'],
    oneOf('t.id', ids, parameters),
    parameters,
  )
  return { text, values: parameters.values, shape: sizeShape }
}

const noLabels = `SELECT '' AS object_id, '' AS digest, []::VARCHAR[] AS tag, []::VARCHAR[] AS alias WHERE false`

const labelsByVersion = (rows: string): string =>
  `SELECT object_id, digest, list(name ORDER BY name) FILTER (WHERE type = 'tag') AS tag,
    list(name ORDER BY name) FILTER (WHERE type = 'alias') AS alias FROM (${rows}) GROUP BY ALL`

const labelsOf = (type: 'tag' | 'alias'): string => `coalesce(l.${type}, []::VARCHAR[])`

function aliasedItem({ selectors }: VersionsPlan, parameters: Parameters): string {
  const names = selectors.flatMap((selector) => (selector.by === 'named' ? [selector.text] : []))
  return names.length === 0 ? 'false' : `list_has_any(${labelsOf('alias')}, ${parameters.bind({ texts: names })})`
}

function conditionsOf(plan: VersionsPlan, parameters: Parameters): string[] {
  const conditions = [
    ...oneOf('v.base_object_class', plan.baseClasses, parameters),
    ...oneOf('v.leaf_object_class', plan.leafClasses, parameters),
  ]
  if (!plan.withDeleted) conditions.push('v.deleted_at IS NULL')
  if (plan.latestOnly) conditions.push('v.is_latest')
  if (plan.notBaseClasses.length > 0) {
    const [excluded] = oneOf('v.base_object_class', plan.notBaseClasses, parameters)
    conditions.push(`(v.base_object_class IS NULL OR NOT ${excluded})`)
  }
  if (plan.tags.length > 0) {
    conditions.push(`list_has_any(${labelsOf('tag')}, ${parameters.bind({ texts: plan.tags })})`)
  }
  if (plan.aliases.length > 0) {
    const custom = `list_has_any(${labelsOf('alias')}, ${parameters.bind({ texts: plan.aliases })})`
    conditions.push(plan.aliases.includes('latest') ? `(v.is_latest OR ${custom})` : custom)
  }
  if (plan.selectors.length > 0) {
    conditions.push(`(${plan.selectors.map((selector) => selectorSql(selector, parameters)).join(' OR ')})`)
  }
  return conditions
}

function selectorSql(selector: VersionSelector, parameters: Parameters): string {
  switch (selector.by) {
    case 'latest':
      return 'v.is_latest'
    case 'index':
      return `v.version_index = ${parameters.bind(BigInt(selector.index))}`
    case 'digest':
      return `v.digest = ${parameters.bind(selector.text)}`
    case 'named': {
      const text = parameters.bind(selector.text)
      return `(v.digest = ${text} OR list_contains(${labelsOf('alias')}, ${text}))`
    }
  }
}

const oneOf = (column: string, values: readonly string[], parameters: Parameters): string[] =>
  values.length === 0 ? [] : [`${column} IN (${values.map((value) => parameters.bind(value)).join(', ')})`]
