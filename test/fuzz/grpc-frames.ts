import { Buffer } from 'node:buffer'
import type { Random } from '../golden/random.ts'
import { mutateBytes } from './mutate.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Numbers of HTTP/2 frame types and flags (RFC 9113). */
const types = { data: 0, headers: 1, settings: 4 } as const
const endStream = 1
const endHeaders = 4

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** A header as HPACK writes it without a table and without compression (RFC 7541, 6.2.2). */
const headerOf = (name: string, value: string): Buffer => Buffer.concat([Buffer.from([0]), textOf(name), textOf(value)])

function textOf(text: string): Buffer {
  const bytes = Buffer.from(text)
  const length = bytes.length < 127 ? [bytes.length] : [127, (bytes.length - 127) | (bytes.length >= 255 ? 0x80 : 0)]
  if (bytes.length >= 255) length.push((bytes.length - 127) >> 7)
  return Buffer.concat([Buffer.from(length), bytes])
}

export interface CallDraft {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly message: Uint8Array
}

/** The bytes of a connection with one call, damaged on one of its levels. */
export function brokenCall(random: Random, { path, headers, message }: CallDraft): Bytes {
  const level = random.below(5)
  const sent = level === 0 ? mutateBytes(random, message) : message
  const prefix = Buffer.alloc(5)
  prefix[0] = random.below(8) === 0 ? random.below(256) : 0
  prefix.writeUInt32BE(sent.length, 1)
  const framed = new Uint8Array(Buffer.concat([prefix, sent]))
  const data = level === 1 ? mutateBytes(random, framed) : framed
  const all = {
    ':method': 'POST',
    ':scheme': 'http',
    ':path': path,
    ':authority': 'localhost',
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  }
  const block = new Uint8Array(Buffer.concat(Object.entries(all).map(([name, value]) => headerOf(name, value))))
  const frames = [
    frame(types.settings, 0, 0, new Uint8Array()),
    frame(types.headers, endHeaders, 1, level === 2 ? mutateBytes(random, block) : block),
    frame(types.data, endStream, 1, data),
  ]
  const rest = new Uint8Array(Buffer.concat(frames))
  return new Uint8Array(Buffer.concat([preface, level >= 3 ? mutateBytes(random, rest) : rest]))
}
