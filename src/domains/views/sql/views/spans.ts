import { opRefStart } from '../../../../formats/dialect/ref.ts'
import { ownNamespaces } from '../../../../formats/dialect/spellings.ts'
import { kindsByName, kindsByOp } from '../../../../formats/mapping/kinds/call-kind.ts'
import { evaluate, summarize, trialOps } from '../../../../lib/evaluation-ops.ts'
import type { SqlEngine } from '../sql-engine.ts'
import { defineView, type Sources } from '../view.ts'

/** A text in the attributes of a call `c`. */
const attribute = (engine: SqlEngine, name: string) => engine.textAt('c.attributes', name)

/** Whether a call `c` states usage. */
const statesUsage = "(c.usage_model IS NOT NULL OR coalesce(c.usage_by_model, '[]') <> '[]')"

/** Codex states milliseconds, the conventions of OpenTelemetry seconds. */
const millisecondsSql = "CASE WHEN c.short_name = 'codex.model_request' THEN 1 ELSE 1000 END"

/** The kind that a name says; null if it says none. */
function namedKind(engine: SqlEngine, name: string): string {
  const namesByKind = Map.groupBy(kindsByName, ([, kind]) => kind)
  const cases = [...namesByKind].map(([kind, entries]) => {
    const names = entries.map(([each]) => engine.literal(each)).join(', ')
    return `WHEN lower(${name}) IN (${names}) THEN ${engine.literal(kind)}`
  })
  return `CASE ${cases.join('\n    ')} END`
}

/** The same order as in `callKind`. */
function kindSql(engine: SqlEngine): string {
  const { literal, matches } = engine
  const evaluations = [evaluate, ...trialOps, summarize].map(literal).join(', ')
  const cases = kindsByOp.map(
    ([{ source, ignoreCase }, kind]) =>
      `WHEN ${matches('c.kind_name', (ignoreCase ? '(?i)' : '') + source)} THEN ${literal(kind)}`,
  )
  return `coalesce(${namedKind(engine, 'c.stated_kind')},
    ${namedKind(engine, 'c.operation')},
    CASE WHEN c.short_name IN (${evaluations}) THEN 'evaluation'
    WHEN c.short_name LIKE '%.score' THEN 'scorer'
    ${cases.join('\n    ')}
    WHEN ${statesUsage} AND coalesce(c.usage_below, 0) = 0 THEN 'llm'
    ELSE 'function' END)`
}

/** The calls `c` with the names from which their kind is derived. */
function namedCalls(engine: SqlEngine, { table }: Sources): string {
  const kinds = [['kind'], ...ownNamespaces.map((own) => [own, 'kind'])]
  const stated = kinds.map((path) => engine.textAt('t.attributes', ...path)).join(', ')
  const nameInRef = engine.firstGroup('t.op_name', opRefStart)
  return `(SELECT n.*, coalesce(n.operation, n.span_name, n.short_name) AS kind_name FROM (
  SELECT t.*, coalesce(${stated}) AS stated_kind,
    ${engine.textAt('t.attributes', 'operation_name')} AS operation,
    ${engine.textAt('t.attributes', 'span_name')} AS span_name,
    CASE WHEN coalesce(t.display_name, '') = '' THEN t.trace_name
      ELSE coalesce(${engine.urlDecoded(nameInRef)}, t.op_name) END AS short_name
  FROM ${table('calls')} t WHERE t.op_name IS NOT NULL) n) c`
}

export const spans = defineView({
  name: 'spans',
  description: 'All calls, with their kind and what their attributes state in columns of their own.',
  columns: {
    project_id: 'entity/project',
    call_id: 'id of the call',
    trace_id: 'trace of the call',
    parent_id: 'call above; null for the root of a trace',
    thread_id: 'conversation; null if none',
    turn_id: 'turn of the conversation; null if none',
    op: 'name of the traced function or span',
    name: 'name given by a user, else op',
    kind:
      'llm, tool, agent, retrieval, …: as stated, else by the op; else llm for usage that no call below repeats, ' +
      'else function',
    status: 'success, error, descendant_error (a call below failed) or running',
    error: 'message of the error; null if it did not fail',
    started_at: 'start',
    ended_at: 'end; null while it runs',
    latency_ms: 'whole milliseconds; null while it runs',
    first_token_ms: 'milliseconds until the first token or chunk, if stated',
    provider: 'provider of the model, if stated',
    model: 'model of the usage, else of the attributes',
    agent_name: 'agent, if stated',
    tool_name: 'tool, if stated',
    tool_call_id: 'id under which a model asked for the tool, if stated',
    user_id: 'user of the application, if stated',
    run_id: 'run that the call belongs to',
    api_key_id: 'id of the API key that sent the call',
    row_digest: 'row of the dataset, in trials of evaluations',
    attributes: 'JSON object',
    inputs: 'JSON object',
    output: 'JSON value',
    summary: 'JSON object',
    usage_counts: 'whether the usage counts: no call below or beside states it as well',
    usage_model: 'model of the usage; null if it names none, or several',
    usage_by_model: 'JSON array of usage by model, if it names none or several',
    input_tokens: 'input tokens as the provider counts them',
    output_tokens: 'output tokens',
    total_tokens: 'total as stated',
    cache_read_tokens: 'input tokens read from a cache',
    cache_creation_tokens: 'input tokens written to a cache',
    cache_creation_long_tokens: 'those that are cached for an hour',
    uncached_tokens: 'input tokens that bypassed caches; null if all did',
    usage_requests: 'requests that the usage adds up; null for 1',
    stated_cost: 'cost in US dollars as stated by the client',
  },
  rows: (engine, from) => [
    {
      values: {
        project_id: 'c.project_id',
        call_id: 'c.id',
        trace_id: 'c.trace_id',
        parent_id: 'c.parent_id',
        thread_id: "nullif(c.thread_id, '')",
        turn_id: "nullif(c.turn_id, '')",
        op: 'coalesce(c.span_name, c.short_name)',
        name: "coalesce(nullif(c.display_name, ''), c.span_name, c.short_name)",
        kind: kindSql(engine),
        status: 'c.status',
        error: "nullif(c.exception, '')",
        started_at: 'c.started_at',
        ended_at: 'c.ended_at',
        latency_ms: 'c.latency_ms',
        first_token_ms: `${engine.number(attribute(engine, 'time_to_first_chunk'))} * ${millisecondsSql}`,
        provider: attribute(engine, 'provider'),
        model: `coalesce(c.usage_model, ${attribute(engine, 'model')})`,
        agent_name: attribute(engine, 'agent_name'),
        tool_name: attribute(engine, 'tool_name'),
        tool_call_id: attribute(engine, 'tool_call_id'),
        user_id: attribute(engine, 'user_id'),
        run_id: 'c.ext_run_id',
        api_key_id: 'c.ext_user_id',
        row_digest: 'c.row_digest',
        attributes: 'c.attributes',
        inputs: 'c.inputs',
        output: 'c.output',
        summary: 'c.summary',
        usage_counts: `${statesUsage} AND coalesce(c.usage_below, 0) = 0 AND c.usage_elsewhere IS NULL`,
        usage_model: 'c.usage_model',
        usage_by_model: 'c.usage_by_model',
        input_tokens: 'c.input_tokens',
        output_tokens: 'c.output_tokens',
        total_tokens: 'c.total_tokens',
        cache_read_tokens: 'c.cache_read_tokens',
        cache_creation_tokens: 'c.cache_creation_tokens',
        cache_creation_long_tokens: 'c.cache_creation_long_tokens',
        uncached_tokens: 'c.uncached_tokens',
        usage_requests: 'c.usage_requests',
        stated_cost: 'c.stated_cost',
      },
      from: namedCalls(engine, from),
    },
  ],
})
