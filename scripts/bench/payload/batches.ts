import { type CallShape, callTexts } from './calls.ts'

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
