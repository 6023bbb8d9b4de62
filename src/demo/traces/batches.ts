import type { BatchItem } from './call-items.ts'

/** Items that travel in one request, and its body. */
export interface Batch {
  readonly items: readonly BatchItem[]
  /** JSON text for `POST /call/upsert_batch`. */
  readonly body: string
}

export interface BatchBounds {
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
