import type { CallEnd, CallStart } from '../../../src/demo/traces/call-items.ts'
import { SeededRandom } from '../../../src/demo/traces/seeded-random.ts'
import { wordSalad } from './word-salad.ts'

export const project = 'bench/calls'

/** The shape of generated calls. */
export interface CallShape {
  /** Average bytes of JSON of start and end together; the prose varies from 40 % to 160 %. */
  readonly bytes: number
  /**
   * `short`: numbers that JavaScript prints unchanged, such as 0.7. `python`: also `1.0` and floats
   * with 17 digits, as in Python's JSON. The server keeps those verbatim, which requires another
   * parser.
   */
  readonly numbers: 'short' | 'python'
  /**
   * `mixed`: every other id is random, like those of spans; otherwise all are derived from the
   * time.
   */
  readonly ids?: 'mixed'
}

/** Bytes of a call without its prose. */
const frameBytes = 800
const ops = ['answer', 'retrieve', 'rerank', 'plan', 'call_tool', 'summarize', 'moderate', 'embed_query']
const models = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5', 'gemini-2.5-flash', 'llama-3.3-70b']

/** The texts of the two halves of call `index`, determined by index and shape. */
function callTexts(index: number, shape: CallShape): { start: string; end: string } {
  const random = new SeededRandom(index)
  const prose = Math.max(20, (shape.bytes - frameBytes) * random.integer(40, 160) * 0.01)
  const float = shape.numbers === 'python' ? pythonFloat : shortFloat
  const { start, end } = makeCall(index, prose, random, float, shape.ids === 'mixed' ? mixedId : callId)
  return { start: JSON.stringify(start), end: JSON.stringify(end) }
}

function makeCall(
  index: number,
  prose: number,
  random: SeededRandom,
  float: (value: number) => unknown,
  idOf: (index: number) => string,
): { start: CallStart; end: CallEnd } {
  const place = index % callsPerTrace
  const root = index - place
  const op = ops[index % ops.length]!
  const model = random.pick(models)
  const durationMs = random.durationMs(900)
  const tokens = Math.round(prose / 8) + random.integer(5, 40)
  const start: CallStart = {
    project_id: project,
    id: idOf(index),
    op_name: `ext:///${project}/op/${op}:${opDigest}`,
    trace_id: traceId(index),
    ...(place === 0 ? {} : { parent_id: idOf(root + Math.floor((place - 1) / 3)) }),
    thread_id: `thread-${Math.floor(root / 40)}`,
    started_at: isoTime(startedMs(index), random.integer(0, 999)),
    attributes: { environment: 'prod', release: `2026.${random.integer(1, 60)}`, cached: random.chance(0.2) },
    inputs: {
      model,
      temperature: float(random.integer(0, 10) / 10),
      messages: messages(prose * 0.55, random),
      options: { top_k: random.integer(1, 20), seed: random.integer(1, 1_000_000_000) },
    },
  }
  const end: CallEnd = {
    project_id: project,
    id: start.id,
    ended_at: isoTime(startedMs(index) + durationMs, random.integer(0, 999)),
    ...(random.chance(0.02) ? { exception: `TimeoutError: ${wordSalad(random, 40)}` } : {}),
    output: {
      message: { role: 'assistant', content: wordSalad(random, prose * 0.45) },
      score: float(random.fraction()),
    },
    summary: {
      usage: { [model]: { requests: 1, prompt_tokens: tokens, completion_tokens: Math.round(tokens * 0.8) } },
    },
  }
  return { start, end }
}

/**
 * A conversation of `chars` characters: one message, followed by more of about 2,000 characters.
 */
function messages(chars: number, random: SeededRandom): unknown[] {
  const count = Math.max(1, Math.round(chars / 2000))
  return Array.from({ length: count }, (_, turn) => ({
    role: turn % 2 === 0 ? 'user' : 'assistant',
    content: wordSalad(random, chars / count),
  }))
}

const isoTime = (ms: number, micros: number): string =>
  `${new Date(ms).toISOString().slice(0, 23)}${String(micros).padStart(3, '0')}Z`

/** Ops are named by a digest of their code, which changes with releases, not with calls. */
const opDigest = 'vJ3pTq0wX8nZcR5yLmKd7hGfSaUeBiOx2QtN4r6MzFk'

const rawJson = (JSON as unknown as { rawJSON(text: string): object }).rawJSON

const shortFloat = (value: number): number => Math.round(value * 1000) / 1000

/** A float as Python's JSON prints it. */
const pythonFloat = (value: number): unknown => (Number.isInteger(value) ? rawJson(`${value}.0`) : value)

/** How the two halves of a call are sent. */
export interface Batching {
  readonly callsPerBatch: number
  /** How many calls later the end follows its start; 0: in the same batch. */
  readonly endsLater: number
}

/** A request body and its contents. */
export interface Batch {
  readonly body: Uint8Array
  /** Calls whose end is in it. */
  readonly calls: number
}

/**
 * Bodies of `POST /call/upsert_batch` for calls `from` up to, but excluding, `to`, in the order in
 * which a client would send them.
 */
export function* upsertBatches(from: number, to: number, shape: CallShape, batching: Batching): Generator<Batch> {
  const { callsPerBatch, endsLater } = batching
  const ends: string[] = []
  for (let at = from; at < to + endsLater; at += callsPerBatch) {
    const items: string[] = []
    let calls = 0
    for (let index = at; index < at + callsPerBatch; index++) {
      if (index < to) {
        const { start, end } = callTexts(index, shape)
        items.push(`{"mode":"start","req":{"start":${start}}}`)
        ends.push(`{"mode":"end","req":{"end":${end}}}`)
      }
      if (index >= from + endsLater && ends.length > 0) {
        items.push(ends.shift()!)
        calls++
      }
    }
    if (items.length > 0) yield { body: encoder.encode(`{"batch":[${items.join(',')}]}`), calls }
  }
}

const encoder = new TextEncoder()

/** Start of the first call: 2026-01-05T08:00:00Z, in milliseconds. */
const firstCallMs = 1_767_600_000_000

/** Time between the starts of neighbouring calls. */
const stepMs = 37

export const startedMs = (index: number): number => firstCallMs + index * stepMs

/**
 * The id of a call: a UUIDv7 (RFC 9562) of its start time, with the other bits hashed from its
 * number and `salt`. Another salt gives unused ids of the same times.
 */
export function callId(index: number, salt = 0): string {
  const time = startedMs(index).toString(16).padStart(12, '0')
  const words = [1, 2, 3]
    .map((part) =>
      hash(Math.imul(index, 3) + part, salt)
        .toString(16)
        .padStart(8, '0'),
    )
    .join('')
  const variant = '89ab'[hash(index, salt + 1) & 3]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${words.slice(0, 3)}-${variant}${words.slice(3, 6)}-${words.slice(6, 18)}`
}

/** Like `callId` for odd numbers; 16 random digits for even ones, like the id of a span. */
const mixedId = (index: number): string =>
  index % 2 === 1 ? callId(index) : callId(index, 13).replaceAll('-', '').slice(-16)

const callsPerTrace = 10

/** Id of the trace that call `index` belongs to. */
const traceId = (index: number): string => callId(index - (index % callsPerTrace), 7)

/** The finalizer of MurmurHash3: every input bit flips about half of the output bits. */
function hash(value: number, salt: number): number {
  let h = (value ^ Math.imul(salt + 1, 0x9e3779b9)) >>> 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
