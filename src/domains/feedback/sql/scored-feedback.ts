import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'

/** Names to match: these exactly, or any with one of the prefixes. */
export interface NamePatterns {
  readonly exact: readonly string[]
  readonly prefixes: readonly string[]
}

/**
 * Which feedback counts. An empty list restricts nothing. Times are milliseconds, `beforeMs`
 * exclusive.
 */
export interface AggregateScope {
  readonly projectId: string
  readonly afterMs: number
  readonly beforeMs: number
  /** Prefixes of feedback types as they are stored. */
  readonly typePrefixes: readonly string[]
  readonly tags: readonly string[]
  readonly ratingMin: number | undefined
  readonly ratingMax: number | undefined
  readonly monitors: NamePatterns
  readonly scorers: NamePatterns
  readonly agentNames: readonly string[]
  readonly spanTypes: readonly ('agent_turn' | 'agent_conversation')[]
}

/** The name of the object or op in a ref, which may be percent-encoded. */
const nameInRef = (column: string) => `url_decode(regexp_extract(${column}, '/(?:object|op)/([^/:]+)', 1))`

const dimensionSql = {
  scorer_id: `coalesce(${nameInRef('t.runnable_ref')}, '')`,
  span_agent_name: `coalesce(t.span_agent_name, '')`,
  span_agent_version: `coalesce(t.span_agent_version, '')`,
  span_status_code: `coalesce(t.span_status_code, '')`,
} as const

/**
 * Rows of the start of a time bucket (milliseconds; null if `bucketMs` is undefined), tags as a
 * JSON array, ratings as a JSON object, the dimensions, and the number of feedback entries.
 */
export function compileScoredFeedback(
  scope: AggregateScope,
  dimensions: readonly (keyof typeof dimensionSql)[],
  bucketMs: number | undefined,
  relation: Relation,
): Sql {
  const parameters = new Parameters()
  const rows = tableRowsSql(
    { relation, projectId: scope.projectId },
    [
      `${bucketSql(bucketMs, parameters)} AS bucket`,
      `coalesce(to_json(t.scorer_tags)::VARCHAR, '[]') AS tags`,
      `coalesce(t.scorer_ratings, '{}') AS ratings`,
      ...dimensions.map((dimension) => `${dimensionSql[dimension]} AS ${dimension}`),
    ],
    scopeTerms(scope, parameters),
    parameters,
  )
  return { text: `SELECT *, count(*) FROM (${rows}) GROUP BY ALL`, values: parameters.values }
}

/** Whole buckets since 1970. Longer buckets than all of time make no difference. */
function bucketSql(bucketMs: number | undefined, parameters: Parameters): string {
  if (bucketMs === undefined) return 'NULL::BIGINT'
  const size = `${parameters.bind(BigInt(Math.min(bucketMs, Number.MAX_SAFE_INTEGER)))}::BIGINT`
  return `(epoch_ms(t.created_at) // ${size} * ${size})`
}

function scopeTerms(scope: AggregateScope, parameters: Parameters): string[] {
  const { typePrefixes, tags, ratingMin, ratingMax, monitors, scorers, agentNames, spanTypes } = scope
  const terms = [
    `t.created_at >= ${parameters.bind({ micros: scope.afterMs * 1000 })}`,
    `t.created_at < ${parameters.bind({ micros: scope.beforeMs * 1000 })}`,
  ]
  const add = (alternatives: readonly string[]) => {
    if (alternatives.length > 0) terms.push(`(${alternatives.join(' OR ')})`)
  }
  add(typePrefixes.map((prefix) => `starts_with(t.feedback_type, ${parameters.bind(prefix)})`))
  if (tags.length > 0) terms.push(`list_has_any(t.scorer_tags, ${parameters.bind({ texts: tags })})`)
  if (ratingMin !== undefined || ratingMax !== undefined) {
    const low = `x::DOUBLE >= ${parameters.bind(ratingMin ?? 0)}`
    const high = `x::DOUBLE <= ${parameters.bind(ratingMax ?? 1)}`
    terms.push(`len(list_filter(json_extract(t.scorer_ratings, '$.*'), x -> ${low} AND ${high})) > 0`)
  }
  add(patternTerms('t.trigger_ref', monitors, parameters))
  add(patternTerms('t.runnable_ref', scorers, parameters))
  if (agentNames.length > 0) terms.push(`list_contains(${parameters.bind({ texts: agentNames })}, t.span_agent_name)`)
  add(spanTypes.map((type) => spanTypeSql[type]))
  return terms
}

function patternTerms(column: string, { exact, prefixes }: NamePatterns, parameters: Parameters): string[] {
  const name = nameInRef(column)
  return [
    ...exact.map((text) => `${parameters.bind(text)} IN (${column}, ${name})`),
    ...prefixes.flatMap((text) => {
      const prefix = parameters.bind(text)
      return [`starts_with(${column}, ${prefix})`, `starts_with(${name}, ${prefix})`]
    }),
  ]
}

/**
 * Feedback on a turn names its trace; feedback on a whole conversation names only the conversation.
 */
const spanTypeSql = {
  agent_turn: `coalesce(t.span_trace_id, '') <> ''`,
  agent_conversation: `(coalesce(t.span_trace_id, '') = '' AND coalesce(t.span_conversation_id, '') <> '')`,
} as const
