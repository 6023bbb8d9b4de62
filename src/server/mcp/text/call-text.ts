import { opShortName } from '../../../formats/dialect/ref.ts'
import { countTokens } from '../../../lib/count-tokens.ts'
import { isJsonObject, plainNumbers } from '../../../lib/json-value.ts'
import { costText, countText, durationText } from './number-text.ts'

/** A call with the columns `callColumns`, as queries return it in neutral names. */
export interface ReadCall {
  readonly id: string
  readonly trace_id: string
  readonly parent_id?: string | null
  readonly thread_id?: string | null
  readonly op_name: string
  readonly display_name?: string | null
  readonly started_at: string
  readonly exception?: string | null
  readonly summary?: Readonly<Record<string, unknown>>
  readonly storage_size_bytes?: number | null
  readonly inputs_preview?: string | null
  readonly output_preview?: string | null
}

export const callColumns = [
  'id',
  'trace_id',
  'parent_id',
  'thread_id',
  'op_name',
  'display_name',
  'started_at',
  'exception',
  'summary',
] as const

/** Members of an object; none of any other value. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isJsonObject(value) ? value : {})

/** Status, latency, tokens and cost of a call, as far as they are known. */
export function callStatistics(call: ReadCall): string {
  const summary = membersOf(plainNumbers(call.summary))
  const own = membersOf(summary['ext'])
  const usage = Object.values(membersOf(summary['usage'])).filter(isJsonObject)
  const tokens = usage.map((one) => countTokens(one))
  const costs = Object.values(membersOf(own['costs'])).filter(isJsonObject)
  const dollars = costs.flatMap((cost) =>
    Object.entries(cost).flatMap(([name, value]) => (name.endsWith('_total_cost') ? [Number(value)] : [])),
  )
  return [
    String(own['status'] ?? 'success'),
    ...(typeof own['latency_ms'] === 'number' ? [durationText(own['latency_ms'])] : []),
    ...(tokens.length === 0 ? [] : [tokensText(sum(tokens, 'prompt'), sum(tokens, 'completion'))]),
    ...(dollars.length === 0 ? [] : [costText(dollars.reduce((total, one) => total + one, 0))]),
  ].join('  ')
}

const sum = <K extends string>(rows: readonly Readonly<Record<K, number>>[], member: K): number =>
  rows.reduce((total, row) => total + row[member], 0)

/** `1200+35 tokens`: input and output. */
export const tokensText = (input: number, output: number): string => `${countText(input)}+${countText(output)} tokens`

/** Name of a call for users: its display name, else the name of its op. */
export const callName = ({ display_name, op_name }: ReadCall): string => display_name || opShortName(op_name)

/** The time to the second. */
export const timeText = (time: string): string => time.slice(0, 19).replace('T', ' ')
