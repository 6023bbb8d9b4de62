import type { Store } from '../../engine/store.ts'
import { tableRows } from '../../engine/tables/stored-tables.ts'
import { BatchCodec } from '../../engine/wal/batch-codec.ts'
import { KeyedMutex } from '../../lib/concurrency.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt } from '../../lib/present.ts'
import type { Row } from '../../lib/table.ts'
import { utf8Bytes } from '../../runtime/platform/crypto.ts'
import { yieldToEventLoop } from '../../runtime/platform/event-loop.ts'
import type { ProjectWriter } from '../access/index.ts'
import type { SentRows } from './apply-updates.ts'
import type { RowPlace } from './catalog.ts'
import type { PrintedRows } from './printed-rows.ts'

export type RowPlaces = Pick<ReadonlyMap<string, RowPlace>, 'get'>

/** New rows, by digest or printed. */
type IncomingRows = SentRows | PrintedRows

/** Rows of one request waiting to be stored, and their locations afterwards. */
interface Waiting {
  readonly sent: IncomingRows
  readonly createdAt: number
  /** Length of the rows as JSON. */
  readonly chars: number
  places: RowPlaces | undefined
}

/**
 * Stores table rows, each once per project. Chunks record the locations of their rows, so a row
 * stored by another request must not move: requests of one project are serialized, and waiting ones
 * are batched.
 */
export class RowIntake {
  private readonly store: Store
  private readonly findPlaces: (writer: ProjectWriter, digests: readonly string[]) => Promise<Map<string, RowPlace>>
  private readonly queue = new KeyedMutex()
  private readonly waiting = new Map<string, Waiting[]>()
  private lastSeq = 0

  /** @param findPlaces locations of the rows that are already stored */
  constructor(store: Store, findPlaces: RowIntake['findPlaces']) {
    this.store = store
    this.findPlaces = findPlaces
  }

  /**
   * Stores new rows and returns the locations of all rows. Durable and visible when this returns.
   * @param createdAt microseconds
   */
  async add(writer: ProjectWriter, sent: IncomingRows, createdAt: number): Promise<RowPlaces> {
    const chars = charsOf(sent)
    if (chars === 0) return new Map()
    const { projectId } = writer
    const own: Waiting = { sent, createdAt, chars, places: undefined }
    this.waiting.set(projectId, [...(this.waiting.get(projectId) ?? []), own])
    return await this.queue.run(projectId, async () => {
      if (own.places !== undefined) return own.places
      return await this.serve(writer, [own, ...this.takeWith(own, projectId)])
    })
  }

  /**
   * Removes waiting requests from the list, as many as fit into one write. If that fails, each gets
   * a turn of its own.
   */
  private takeWith(own: Waiting, projectId: string): Waiting[] {
    const taken: Waiting[] = []
    const left: Waiting[] = []
    let chars = own.chars
    for (const request of this.waiting.get(projectId) ?? []) {
      if (request === own) continue
      chars += request.chars
      if (chars > storageLimits.walGroupBytesMax) left.push(request)
      else taken.push(request)
    }
    if (left.length === 0) this.waiting.delete(projectId)
    else this.waiting.set(projectId, left)
    return taken
  }

  private async serve(writer: ProjectWriter, together: readonly Waiting[]): Promise<RowPlaces> {
    const places = new Map<string, RowPlace>()
    const sent = together.flatMap((request) => digestsOf(request.sent))
    // Look up everything before the first write: rows of this batch need no lookup.
    for (let from = 0; from < sent.length; from += requestLimits.tableRowsLookedUp) {
      const found = await this.findPlaces(writer, sent.slice(from, from + requestLimits.tableRowsLookedUp))
      for (const [digest, place] of found) places.set(digest, place)
      await yieldToEventLoop()
    }
    for (const request of together) await this.write(writer, request, places)
    for (const request of together) request.places = places
    return places
  }

  /** Writes the rows of a request that have no location yet in batches, and assigns one. */
  private async write(writer: ProjectWriter, { sent, createdAt }: Waiting, places: Map<string, RowPlace>) {
    this.lastSeq = Math.max(this.lastSeq, createdAt)
    if (sent instanceof Map) await this.writeSent(writer, { sent, createdAt }, places)
    else await this.writePrinted(writer, { sent, createdAt }, places)
  }

  private async writeSent(
    writer: ProjectWriter,
    { sent, createdAt }: { sent: SentRows; createdAt: number },
    places: Map<string, RowPlace>,
  ) {
    let rows: Row[] = []
    let bytes = 0
    for (const [digest, val] of sent) {
      if (places.has(digest)) continue
      const place = { seq: ++this.lastSeq, bytes: utf8Bytes(val) }
      places.set(digest, place)
      rows.push(
        tableRows.row({
          project_id: writer.projectId,
          digest,
          val,
          size_bytes: place.bytes,
          seq: place.seq,
          created_at: createdAt,
        }),
      )
      bytes += place.bytes
      if (rows.length < requestLimits.tableRowsTogether && bytes < requestLimits.tableBytesTogether) continue
      await this.store.write(tableRows.name, rows)
      rows = []
      bytes = 0
    }
    if (rows.length > 0) await this.store.write(tableRows.name, rows)
  }

  /** Passes on the bytes of the rows as they are. */
  private async writePrinted(
    { projectId }: ProjectWriter,
    { sent, createdAt }: { sent: PrintedRows; createdAt: number },
    places: Map<string, RowPlace>,
  ) {
    const { digests, offsets, bytes } = sent
    let rows: number[] = []
    let length = 0
    let first = this.lastSeq
    const write = async () => {
      const count = rows.length
      if (count === 0) return
      const messages = codec.encodeColumns(count, {
        project_id: () => projectId,
        digest: (row) => itemAt(digests, itemAt(rows, row)),
        val: {
          bytes,
          from: (row) => itemAt(offsets, itemAt(rows, row)),
          to: (row) => itemAt(offsets, itemAt(rows, row) + 1),
        },
        size_bytes: (row) => itemAt(offsets, itemAt(rows, row) + 1) - itemAt(offsets, itemAt(rows, row)),
        seq: (row) => first + 1 + row,
        created_at: () => createdAt,
      })
      rows = []
      length = 0
      await this.store.writeEncoded(tableRows.name, codec.encoded(messages))
    }
    for (const [row, digest] of digests.entries()) {
      if (places.has(digest)) continue
      if (rows.length === 0) first = this.lastSeq
      const place = { seq: ++this.lastSeq, bytes: itemAt(offsets, row + 1) - itemAt(offsets, row) }
      places.set(digest, place)
      rows.push(row)
      length += place.bytes
      if (rows.length >= requestLimits.tableRowsTogether || length >= requestLimits.tableBytesTogether) await write()
    }
    await write()
  }
}

const codec = new BatchCodec(tableRows)

const charsOf = (sent: IncomingRows): number =>
  sent instanceof Map ? sent.values().reduce((sum, val) => sum + val.length, 0) : sent.bytes.length

const digestsOf = (sent: IncomingRows): string[] =>
  sent instanceof Map ? [...sent.keys()] : [...new Set(sent.digests)]
