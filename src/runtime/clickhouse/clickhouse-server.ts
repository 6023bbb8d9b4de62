import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { MiB } from '../../lib/bytes.ts'
import { DomainError } from '../../lib/errors.ts'
import type { ClickHouseSettings, StoreKeys } from '../config/clickhouse.ts'
import type { Config } from '../config/configuration.ts'
import { systemOutboundHttp } from '../http/outbound-http.ts'
import type { Log } from '../log.ts'

/** A statement and the values that it names. */
interface Statement {
  readonly text: string
  readonly parameters: readonly { readonly name: string; readonly text: string }[]
}

/** Answers are single rows, at most with the ids of many calls. */
const answerCharsMax = 32 * MiB

/** What ClickHouse takes by default: `http_max_field_value_size` and `http_max_uri_size`. */
const parameterBytesMax = 131_072
const addressCharsMax = 1_048_576

/**
 * What the profile of a user may set so that limits cut an answer, without a word, rather than end
 * the query. See docs/decisions/302-no-partial-answers-of-clickhouse.md.
 */
const limitsThatCut = [
  'read_overflow_mode',
  'read_overflow_mode_leaf',
  'timeout_overflow_mode',
  'result_overflow_mode',
  'group_by_overflow_mode',
  'sort_overflow_mode',
  'set_overflow_mode',
  'distinct_overflow_mode',
  'transfer_overflow_mode',
  'join_overflow_mode',
]

/** Errors of ClickHouse, by number, as errors of the request. */
const meanings = new Map<string, (cause: Error) => DomainError>([
  ['159', (cause) => new DomainError('QueryTimeout', 'Query timed out in ClickHouse', { cause })],
  [
    '241',
    (cause) => new DomainError('QueryTooLarge', 'The query needs more memory than ClickHouse may use', { cause }),
  ],
  ['158', (cause) => beyondLimits(cause)],
  ['307', (cause) => beyondLimits(cause)],
  ['396', (cause) => beyondLimits(cause)],
  ['202', (cause) => new DomainError('Overloaded', 'ClickHouse has too many queries; try again later', { cause })],
  ['193', () => unavailable('does not accept the configured user and password')],
  ['516', () => unavailable('does not accept the configured user and password')],
  ['164', () => unavailable('does not let the configured user change settings of a query')],
  ['497', () => unavailable('does not let the configured user read files')],
  ['107', () => unavailable('does not find the data files at the configured location')],
  ['291', () => unavailable('may not read files at the configured location')],
  ['499', () => unavailable('cannot read the data files in the store of the lake')],
  ['636', () => unavailable('does not find the data files at the configured location')],
])

const beyondLimits = (cause: Error): DomainError =>
  new DomainError('QueryTooLarge', 'The query exceeds a limit of the configured user in ClickHouse', { cause })

const tooLong = (): DomainError =>
  new DomainError('InvalidRequest', 'The values of the condition are too long for ClickHouse; leave out "engine"')

const unavailable = (why: string): DomainError => new DomainError('StoreUnavailable', `ClickHouse ${why}`)

/** A ClickHouse server, over its HTTP interface. */
export class ClickHouseServer {
  readonly location: string
  readonly storeKeys: StoreKeys | undefined
  /** From this many bytes of data files on, it is asked without a request that names it. */
  readonly bytesMin: number
  private readonly settings: ClickHouseSettings
  private readonly timeoutMs: number
  private readonly log: Log

  constructor(options: { settings: ClickHouseSettings; timeoutMs: number; log: Log }) {
    this.settings = options.settings
    this.location = options.settings.location
    this.storeKeys = options.settings.storeKeys
    this.bytesMin = options.settings.bytesMin
    this.timeoutMs = options.timeoutMs
    this.log = options.log
  }

  /** The configured server; undefined if there is none. */
  static of({ clickHouse: settings, queryTimeoutMs: timeoutMs }: Config, log: Log): ClickHouseServer | undefined {
    return settings && new ClickHouseServer({ settings, timeoutMs, log })
  }

  /**
   * The only row of an answer. The query is cancelled if the signal is aborted.
   *
   * @param schema of the cells
   * @throws DomainError InvalidRequest for values that are too long; StoreUnavailable,
   *   QueryTimeout, QueryTooLarge, Overloaded, RequestCancelled
   */
  async row<S extends TSchema>(statement: Statement, schema: S, signal: AbortSignal | undefined): Promise<Static<S>> {
    const { response, answer } = await this.orUnavailable(signal, async (until) => {
      const head = await this.send(statement, until)
      return { response: head, answer: await textOf(head) }
    })
    if (!response.ok) throw this.failureOf(response, answer)
    const parsed = parsedJson(answer)
    // Some versions end an answer that they have begun with a member for what went wrong.
    const rows = Type.Object({ data: Type.Tuple([schema]), exception: Type.Optional(Type.Never()) })
    if (Value.Check(rows, parsed)) return parsed.data[0]
    this.log.error({ answer: this.withoutSecrets(answer).slice(0, 500) }, 'ClickHouse sent an unexpected answer')
    throw unavailable('sent an unexpected answer; the log says which')
  }

  private async send({ text, parameters }: Statement, signal: AbortSignal): Promise<Response> {
    const { url, user, password } = this.settings
    const address = new URL(url)
    for (const [name, value] of Object.entries(this.bounds())) address.searchParams.set(name, value)
    for (const { name, text: value } of parameters) address.searchParams.set(`param_${name}`, value)
    const isLong = parameters.some((each) => new TextEncoder().encode(each.text).length >= parameterBytesMax)
    if (isLong || address.href.length >= addressCharsMax) throw tooLong()
    const headers = { 'x-clickhouse-user': user, ...(password !== undefined && { 'x-clickhouse-key': password }) }
    return await systemOutboundHttp.fetch(address.href, { method: 'POST', headers, body: text, signal })
  }

  /** The bounds of every query, after which it fails. An answer begins only when it is complete. */
  private bounds(): Record<string, string> {
    const seconds = String(Math.ceil(this.timeoutMs / 1000))
    return {
      readonly: '2',
      max_execution_time: seconds,
      timeout_before_checking_execution_speed: '0',
      max_result_rows: '1',
      max_query_size: '16777216',
      cancel_http_readonly_queries_on_client_close: '1',
      wait_end_of_query: '1',
      send_progress_in_http_headers: '0',
      output_format_json_quote_64bit_integers: '0',
      output_format_json_named_tuples_as_objects: '0',
      limit: '0',
      offset: '0',
      // Needs ETags, which some object stores do not send. Files never change.
      query_plan_optimize_lazy_materialization: '0',
      ...Object.fromEntries(limitsThatCut.map((name) => [name, 'throw'])),
    }
  }

  private async orUnavailable<T>(signal: AbortSignal | undefined, ask: (until: AbortSignal) => Promise<T>): Promise<T> {
    // ClickHouse itself enforces the limit; this is for a server that no longer answers.
    const late = AbortSignal.timeout(this.timeoutMs + 5000)
    try {
      return await ask(signal === undefined ? late : AbortSignal.any([signal, late]))
    } catch (cause) {
      if (cause instanceof DomainError) throw cause
      if (signal?.aborted) throw new DomainError('RequestCancelled', 'The client closed the request', { cause })
      if (late.aborted) throw new DomainError('QueryTimeout', 'ClickHouse did not answer in time', { cause })
      // The error itself may contain the address, with the values of the query. Deno puts it into
      // the message, too.
      const reason = cause instanceof Error ? cause.message.replaceAll(/\?\S+/g, '') : ''
      this.log.error({ reason }, 'ClickHouse cannot be reached')
      throw unavailable('cannot be reached; try again later, or leave out "engine"')
    }
  }

  /** Messages of ClickHouse may repeat parts of a statement. */
  private withoutSecrets(text: string): string {
    const secrets = [this.settings.password, this.storeKeys?.secret].filter((secret) => secret !== undefined)
    return secrets.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text)
  }

  private failureOf(response: Response, answer: string): DomainError {
    const code = response.headers.get('x-clickhouse-exception-code') ?? /^Code: (\d+)\./.exec(answer)?.[1] ?? ''
    const cause = new Error(`ClickHouse answered ${response.status}: ${this.withoutSecrets(answer).slice(0, 2000)}`)
    this.log.error({ err: cause, code }, 'ClickHouse refused a query')
    return meanings.get(code)?.(cause) ?? unavailable('could not run the query; the log says why')
  }
}

async function textOf(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > answerCharsMax) break
  }
  return text
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
