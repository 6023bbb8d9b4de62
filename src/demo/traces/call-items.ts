/** About so many tokens a tokenizer makes of `text`: four characters each. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4)
}

/**
 * The items that are sent. Written out here, not imported from the server: a sender is a client,
 * and should notice when the server stops taking what clients send.
 */
export interface CallStart {
  project_id: string
  id: string
  op_name: string
  display_name?: string
  trace_id: string
  parent_id?: string
  thread_id?: string
  turn_id?: string
  /** ISO 8601, UTC. */
  started_at: string
  attributes: Record<string, unknown>
  inputs: Record<string, unknown>
}

export interface CallEnd {
  project_id: string
  id: string
  /** ISO 8601, UTC. */
  ended_at: string
  exception?: string
  output: unknown
  summary: { usage?: Record<string, TokenUsage> }
}

/** Tokens of one model, under the names of its vendor. */
export type TokenUsage = Record<string, number>

/** A call with its end, or without one while it is still running. */
export interface TracedCall {
  start: CallStart
  end?: CallEnd
}

/** The calls of one trace, in the order of their starts; the root is the first. */
export type Trace = readonly TracedCall[]

/** One item of the body of `POST /call/upsert_batch`. */
export type BatchItem = { mode: 'start'; req: { start: CallStart } } | { mode: 'end'; req: { end: CallEnd } }

/** Items that travel in one request, and its body. */
interface Batch {
  readonly items: readonly BatchItem[]
  /** JSON text for `POST /call/upsert_batch`. */
  readonly body: string
}

interface BatchBounds {
  readonly bodyBytesMax: number
  readonly itemsMax: number
}

const batchBounds: BatchBounds = { bodyBytesMax: 2 * 1024 * 1024, itemsMax: 500 }

const encoder = new TextEncoder()
const opening = '{"batch":['
const closing = ']}'

/**
 * Cuts `items` into batches within `bounds`, in order. An item that is too large by itself travels
 * alone.
 */
export function* inBatches(items: Iterable<BatchItem>, bounds: BatchBounds = batchBounds): Generator<Batch> {
  let kept: BatchItem[] = []
  let texts: string[] = []
  let bytes = opening.length + closing.length
  const take = (): Batch => {
    const batch = { items: kept, body: `${opening}${texts.join(',')}${closing}` }
    kept = []
    texts = []
    bytes = opening.length + closing.length
    return batch
  }
  for (const item of items) {
    const text = JSON.stringify(item)
    const itemBytes = encoder.encode(text).length + 1
    if (kept.length > 0 && (kept.length >= bounds.itemsMax || bytes + itemBytes > bounds.bodyBytesMax)) yield take()
    kept.push(item)
    texts.push(text)
    bytes += itemBytes
  }
  if (kept.length > 0) yield take()
}
