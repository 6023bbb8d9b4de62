import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import type { Store } from '../../../engine/store.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { findJsonSpan, typeAt } from '../../../formats/wire/json-span.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { rowShape } from '../../../lib/typed-rows.ts'
import { parseFieldPath } from '../../../query/catalog.ts'
import {
  type CallScope,
  compilePayloadSizes,
  compileValue,
  compileValuePiece,
  type PayloadRoot,
} from '../../../query/sql/payload.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { PayloadSizes, ValueRequest, ValueText } from '../model/payloads.ts'

/** The requested piece of [`from`, `to`) of a text. Characters of two code units are not split. */
function pieceOf(
  text: string,
  { offset, length }: { readonly offset: number; readonly length: number },
  { from, to }: { readonly from: number; readonly to: number } = { from: 0, to: text.length },
): Pick<ValueText, 'offset' | 'text' | 'next_offset'> {
  const begin = Math.min(from + offset, to)
  let end = Math.min(begin + length, to)
  // A piece of one code unit takes the other half as well: it must not be empty.
  if (end < to && isHighSurrogate(text, end - 1)) end += end - begin > 1 ? -1 : 1
  return { offset, text: text.slice(begin, end), next_offset: end < to ? end - from : null }
}

const isHighSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800

/** Payloads of calls in pieces, as stored. */
export class Payloads {
  private readonly store: Store

  constructor({ store }: { store: Store }) {
    this.store = store
  }

  /** @throws DomainError InvalidRequest, InvalidField; NotFound for an unknown call or path */
  async value(reader: ProjectReader, request: ValueRequest, signal: AbortSignal): Promise<ValueText> {
    const { keys, root, path } = placeOf(request.path)
    const range = rangeOf(request)
    const { call_id: callId } = request
    const name = nameOf(keys)
    return await this.inCall(reader, callId, signal, async (snapshot, scope) => {
      if (path.length === 0) return { path: name, ...(await pieceOfRoot(snapshot, scope, root, range)) }
      const rows = await snapshot.rows({ ...compileValue(scope, root), shape: rowShape({ text: 'json' }) })
      const { text } = rowOf(rows, callId)
      const span = await findJsonSpan(text, path)
      if (span === undefined) {
        throw new DomainError('NotFound', `Cannot read call ${quoted(callId)}: it has no value at ${quoted(name)}`)
      }
      const { from, to, type } = span
      return { path: name, type, characters: to - from, ...pieceOf(text, range, { from, to }) }
    })
  }

  /** @throws DomainError NotFound */
  async sizes(reader: ProjectReader, callId: string, signal: AbortSignal): Promise<PayloadSizes> {
    return await this.inCall(reader, callId, signal, async (snapshot, scope) => {
      const row = rowOf(await snapshot.rows(compilePayloadSizes(scope)), callId)
      return {
        sizes: {
          inputs: row.inputs_text?.length ?? row.inputs,
          output: row.output_text?.length ?? row.output,
          attributes: row.attributes_text?.length ?? row.attributes,
          summary: row.summary_text?.length ?? row.summary,
          exception: row.exception_text?.length ?? row.exception,
        },
      }
    })
  }

  private async inCall<T>(
    { projectId }: ProjectReader,
    callId: string,
    signal: AbortSignal,
    read: (snapshot: Snapshot, scope: CallScope) => Promise<T>,
  ): Promise<T> {
    return await this.store.read([callsTable.name], { projectId, signal }, async (snapshot) =>
      read(snapshot, { projectId, callId, calls: await snapshot.relationWhere(callsTable.name, { id: [callId] }) }),
    )
  }
}

/** The answer of `compileValuePiece`. */
const pieceShape = rowShape({ text: 'text', length: 'integer', is_piece: 'integer', first: 'text' })

/**
 * Only the requested piece of a long text leaves DuckDB, provided that positions mean the same
 * there.
 */
async function pieceOfRoot(
  snapshot: Snapshot,
  scope: CallScope,
  root: PayloadRoot,
  range: Range,
): Promise<Omit<ValueText, 'path'>> {
  const rows = await snapshot.rows({ ...compileValuePiece(scope, root, range), shape: pieceShape })
  const { text, length, is_piece: isPiece, first } = rowOf(rows, scope.callId)
  const type = typeAt(first, 0)
  if (isPiece === 0) return { type, characters: text.length, ...pieceOf(text, range) }
  const end = range.offset + text.length
  return { type, characters: length, offset: range.offset, text, next_offset: end < length ? end : null }
}

interface Range {
  readonly offset: number
  readonly length: number
}

function rangeOf({ offset, length }: ValueRequest): Range {
  const range = { offset: offset ?? 0, length: length ?? explorationLimits.payloadPieceCharsDefault }
  if (range.length >= 1 && range.length <= explorationLimits.payloadPieceCharsMax) return range
  throw new DomainError(
    'InvalidRequest',
    `\`length\` must be from 1 to ${explorationLimits.payloadPieceCharsMax}, not ${range.length}`,
  )
}

const roots: readonly PayloadRoot[] = ['inputs', 'output', 'attributes', 'summary']

interface ValuePlace {
  readonly keys: readonly string[]
  readonly root: PayloadRoot
  /** Within the root. */
  readonly path: readonly string[]
}

function placeOf(requested: ValueRequest['path']): ValuePlace {
  const keys = typeof requested === 'string' ? parseFieldPath(requested) : requested
  if (keys.length > explorationLimits.valuePathKeysMax) {
    throw new DomainError(
      'InvalidField',
      `Cannot read a value: the path has more than ${explorationLimits.valuePathKeysMax} keys`,
    )
  }
  const [first, ...path] = keys
  const root = roots.find((name) => name === first)
  if (root !== undefined) return { keys, root, path }
  throw new DomainError(
    'InvalidField',
    `Cannot read a value: the path ${quoted(nameOf(keys))} must begin with ${roots.join(', ')}`,
  )
}

const nameOf = (keys: readonly string[]): string => keys.map((key) => key.replaceAll('.', '\\.')).join('.')

function rowOf<Row>(rows: readonly Row[], callId: string): Row {
  const [row] = rows
  if (row !== undefined) return row
  throw new DomainError('NotFound', `Cannot read call ${quoted(callId)}: it does not exist in the project`)
}
