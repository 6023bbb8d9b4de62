import { concatBytes } from '../../lib/bytes.ts'
import { memberOf } from '../../lib/present.ts'
import { checksum } from '../../runtime/platform/files/bytes.ts'

/** An object of the log: rows, or the mark of a writer that has taken over. */
export interface LogObject {
  readonly kind: 'rows' | 'fence'
  /** Of the writer; that of a later writer is higher. */
  readonly epoch: number
  /** Its place in the log, from 1. */
  readonly number: number
  /** Random, so that no two attempts at a number have the same bytes. */
  readonly nonce: string
  /** What was appended, in order; a fence has none. */
  readonly entries: readonly Uint8Array[]
}

/** An object of the log that cannot be read, or that is missing. */
export class DamagedLog extends Error {
  override readonly name = 'DamagedLog'
}

/**
 * The name of a number decides who writes it: all writers of a log use the same one, whatever their
 * epoch, so that put-if-absent has one winner.
 */
export const logName = (folder: string, number: number): string => `${folder}/${String(number).padStart(20, '0')}`

/** @throws DamagedLog if it is no name of the log */
export function numberOfName(name: string): number {
  const [, digits] = /\/(\d{20})$/.exec(name) ?? []
  if (digits === undefined) throw new DamagedLog(`Cannot read the log: "${name}" is not one of its objects`)
  return Number(digits)
}

/** No fence is larger. */
export const fenceBytesMax = 512

/**
 * Two lines of text and the entries: a JSON object with everything but the entries, which has their
 * lengths; CRC-32 of that line and of the entries, in hexadecimal digits; the entries without
 * anything between them.
 */
export function encodeLogObject({ kind, epoch, number, nonce, entries }: LogObject): Uint8Array {
  const lengths = entries.map(({ length }) => length)
  const head = encoder.encode(`${JSON.stringify({ format: 1, kind, epoch, number, nonce, lengths })}\n`)
  const sum = entries.reduce((before, entry) => checksum(entry, before), checksum(head))
  return concatBytes([head, encoder.encode(`${sum.toString(16).padStart(8, '0')}\n`), ...entries])
}

/** @throws DamagedLog if it is not what was written under this name */
export function decodeLogObject(name: string, bytes: Uint8Array): LogObject {
  const headEnd = bytes.indexOf(newline) + 1
  const start = headEnd + checksumChars + 1
  const sum = Number.parseInt(decoder.decode(bytes.subarray(headEnd, start - 1)), 16)
  const entriesSum = checksum(bytes.subarray(start), checksum(bytes.subarray(0, headEnd)))
  if (headEnd === 0 || sum !== entriesSum) throw new DamagedLog(`Cannot read ${name}: its checksum does not match`)
  const head: unknown = JSON.parse(decoder.decode(bytes.subarray(0, headEnd)))
  const [format, kind, epoch, number, nonce, lengths] = ['format', 'kind', 'epoch', 'number', 'nonce', 'lengths'].map(
    (member) => memberOf(head, member),
  )
  if (format !== 1) throw new DamagedLog(`Cannot read ${name}: a later version of tracelake wrote it`)
  if (
    (kind !== 'rows' && kind !== 'fence') ||
    typeof epoch !== 'number' ||
    number !== numberOfName(name) ||
    typeof nonce !== 'string' ||
    !Array.isArray(lengths)
  )
    throw new DamagedLog(`Cannot read ${name}: it is not an object of the log`)
  return { kind, epoch, number, nonce, entries: entriesOf(bytes.subarray(start), lengths.map(Number)) }
}

function entriesOf(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  let at = 0
  return lengths.map((length) => {
    at += length
    return bytes.subarray(at - length, at)
  })
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const newline = 10
const checksumChars = 8
