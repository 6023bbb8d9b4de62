import type { Relation } from '../../lib/relation.ts'
import type { Sql } from '../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../lib/typed-rows.ts'
import { columnField } from '../catalog.ts'
import { lowerRows } from '../check/lower.ts'
import { fieldOneOf } from '../expression.ts'
import { payloadValues } from './call-answer.ts'
import { Parameters } from './parameters.ts'
import { rowsSql } from './rows.ts'

/** A call, and where the calls of its project are. */
export interface CallScope {
  readonly projectId: string
  readonly callId: string
  readonly calls: Relation
}

const columns = ['inputs', 'output', 'attributes', 'summary'] as const

/** A part of a payload that `compileValue` reads. */
export type PayloadRoot = (typeof columns)[number]

/**
 * A piece of the JSON text of a part of a payload, its length in characters, and 1. If not every
 * character is one byte, positions differ between SQL and JavaScript: then the whole text, its
 * length and 0.
 */
export function compileValuePiece(
  scope: CallScope,
  root: PayloadRoot,
  { offset, length }: { readonly offset: number; readonly length: number },
): Sql {
  const parameters = new Parameters()
  const rows = callRow(scope, payloadValues[root].reads, parameters)
  const from = parameters.bind(BigInt(offset + 1))
  const count = parameters.bind(BigInt(length))
  return {
    text: `SELECT CASE WHEN is_plain THEN substring(x, ${from}::BIGINT, ${count}::BIGINT) ELSE x END, length(x),
        is_plain::INTEGER, substring(x, 1, 1)
      FROM (SELECT x, strlen(x) = length(x) AS is_plain
        FROM (SELECT ${payloadValues[root].sql} AS x FROM (${rows}) c))`,
    values: parameters.values,
  }
}

/** The whole JSON text of a part of a payload. */
export function compileValue(scope: CallScope, root: PayloadRoot): Sql {
  const parameters = new Parameters()
  const rows = callRow(scope, payloadValues[root].reads, parameters)
  return { text: `SELECT ${payloadValues[root].sql} FROM (${rows}) c`, values: parameters.values }
}

const sizesShape = rowShape({
  inputs: 'integer',
  output: 'integer',
  attributes: 'integer',
  summary: 'integer',
  exception: 'integer',
  inputs_text: 'text?',
  output_text: 'text?',
  attributes_text: 'text?',
  summary_text: 'text?',
  exception_text: 'text?',
})

/**
 * Lengths in characters: of the texts of `columns`, then of the exception. After them, in the same
 * order, the texts in which not every character is one byte: DuckDB cannot count their UTF-16 code
 * units; the others are null.
 */
export function compilePayloadSizes(scope: CallScope): Sql<RowOfShape<typeof sizesShape>> {
  const parameters = new Parameters()
  const rows = callRow(scope, [...columns.flatMap((root) => payloadValues[root].reads), 'exception'], parameters)
  const texts = [...columns.map((root) => payloadValues[root].sql), `coalesce(c.exception, '')`]
  const names = texts.map((_, index) => `x${index}`)
  const items = [
    ...names.map((name) => `length(${name})`),
    ...names.map((name) => `CASE WHEN strlen(${name}) <> length(${name}) THEN ${name} END`),
  ]
  const list = texts.map((text, index) => `${text} AS ${names[index]}`).join(', ')
  const text = `SELECT ${items.join(', ')} FROM (SELECT ${list} FROM (${rows}) c)`
  return { text, values: parameters.values, shape: sizesShape }
}

/**
 * Inputs, output, attributes and summary of a call as JSON texts, each null if it has more than
 * `charsMax` characters, and whether one of them has (0 or 1).
 */
export function compilePayload(scope: CallScope, charsMax: number): Sql {
  const parameters = new Parameters()
  const rows = callRow(scope, columns, parameters)
  const max = parameters.bind(BigInt(charsMax))
  const texts = columns.map((name) => `CASE WHEN length("${name}") <= ${max} THEN "${name}" END`)
  const isCut = `greatest(${columns.map((name) => `coalesce(length("${name}"), 0)`).join(', ')}) > ${max}`
  return { text: `SELECT ${texts.join(', ')}, (${isCut})::INTEGER FROM (${rows})`, values: parameters.values }
}

function callRow({ projectId, callId, calls }: CallScope, wanted: readonly string[], parameters: Parameters): string {
  const where = fieldOneOf(columnField('id'), [callId])
  return rowsSql(lowerRows({ relation: calls, projectId, where, columns: [...new Set(wanted)] }), parameters)
}
