import type { Store } from '../../engine/store.ts'
import { tableChunks, tableLists, tableRows } from '../../engine/tables/stored-tables.ts'
import { DomainError, quoted, ValidationError, type Violation } from '../../lib/errors.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { present, valueAt } from '../../lib/present.ts'
import type { Row } from '../../lib/table.ts'
import { tableDigest, tableDigestOfHash } from '../../runtime/digest.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { Sha256 } from '../../runtime/platform/crypto.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import type { ProjectWriter } from '../access/index.ts'
import { applyUpdates, noteRow, resolveDigests, type SentRows } from './apply-updates.ts'
import { type RowPlace, TableCatalog, type TableList } from './catalog.ts'
import type { TableUpdate } from './model/row-tables.ts'
import { type Piece, Pieces } from './pieces.ts'
import { HashStates, hashOf, hashOfPieces, planTable, type TablePlan, type WantedTable } from './plan-table.ts'
import type { PrintedRows } from './printed-rows.ts'
import { TableReader } from './read-tables.ts'
import { RowIntake, type RowPlaces } from './row-intake.ts'

/**
 * Stores tables: rows first, then the chunks that refer to them, then the table that refers to
 * those.
 */
class TableWriter {
  private readonly store: Store
  private readonly clock: Clock
  private readonly rows: RowIntake
  private readonly hashes = new HashStates()

  constructor(options: { store: Store; clock: Clock }) {
    this.store = options.store
    this.clock = options.clock
    this.rows = new RowIntake(options.store, (writer, digests) =>
      this.inCatalog(writer, (catalog) => catalog.places(digests)),
    )
  }

  /**
   * Creates a table from rows. The same rows are the same table.
   *
   * @throws DomainError DigestMismatch; ValidationError if a row is not a JSON object
   */
  async create(
    writer: ProjectWriter,
    rows: readonly unknown[],
    expectedDigest?: string | null,
  ): Promise<{ digest: string; rowDigests: string[] }> {
    const sent: SentRows = new Map()
    const rowDigests: string[] = []
    const sentDigests: string[] = []
    const slice = new TimeSlice()
    for (const row of rows) {
      const { digest, sentDigest } = noteRow(sent, writer, row)
      rowDigests.push(digest)
      sentDigests.push(sentDigest)
      if (slice.expiredNow) await slice.yield()
    }
    const digest = await this.save(writer, rowDigests, sent, expectedDigest)
    // Clients that do not know internal project ids compute refs from the digests of rows as sent.
    const isTold = expectedDigest != null || rowDigests.every((row, index) => row === sentDigests[index])
    if (!isTold) await this.storeAlsoAs(writer, tableDigestOfHash((await hashOf(sentDigests)).digest()), digest)
    return { digest, rowDigests }
  }

  /** Stores the chunks of a table under another digest, too. */
  private async storeAlsoAs(writer: ProjectWriter, otherDigest: string, digest: string): Promise<void> {
    const lists = await this.inCatalog(writer, (catalog) => catalog.lists([digest, otherDigest]))
    if (lists.get(otherDigest)?.isComplete) return
    const { rowCount, chunks, isComplete } = valueAt(lists, digest)
    await this.writeList(writer, { digest: otherDigest, rowCount, chunks, isComplete }, this.clock.nowMs() * 1000)
  }

  /**
   * Creates a table from rows stored before.
   *
   * @throws DomainError DigestMismatch; ValidationError listing the digests that are not rows of
   *   the project
   */
  async createFromDigests(
    writer: ProjectWriter,
    rowDigests: readonly string[],
    expectedDigest?: string | null,
  ): Promise<string> {
    refuse(rowDigests, (digest) => !/^[A-Za-z0-9_-]{1,128}$/.test(digest), 'is not a row digest')
    return await this.save(writer, rowDigests, new Map(), expectedDigest)
  }

  /**
   * Creates a table from another one, which is not changed.
   *
   * @throws DomainError NotFound for an unknown base; InvalidRequest for a position outside the
   *   table, or too many updates
   */
  async update(
    writer: ProjectWriter,
    baseDigest: string,
    updates: readonly TableUpdate[],
  ): Promise<{ digest: string; rowDigests: string[] }> {
    const { rowDigests, wanted } = await this.inCatalog(writer, async (catalog) => {
      const base = await catalog.findList(baseDigest)
      if (base === undefined) {
        throw new DomainError('NotFound', `The table ${quoted(baseDigest)} does not exist`)
      }
      const pieces = new Pieces(storedPieces(base))
      const { sent, touched } = await applyUpdates(pieces, updates, writer)
      const rowDigests = await resolveDigests(touched, catalog)
      const grown = updates.every((update) => 'append' in update) ? this.hashes.find(baseDigest) : undefined
      const hash = grown ? await hashOf(rowDigests, grown) : await hashOfPieces(pieces.list, catalog)
      const digest = this.hashes.finish(hash)
      return { rowDigests, wanted: { digest, pieces: pieces.list, sent, base } }
    })
    await this.storeTable(writer, wanted)
    return { digest: wanted.digest, rowDigests }
  }

  /**
   * Creates a table from rows that come in batches, after those of a base, which must exist. Only
   * one batch is in memory. Rows that are equal to others are kept.
   */
  async createInBatches(
    writer: ProjectWriter,
    batches: AsyncIterable<PrintedRows>,
    baseDigest?: string,
  ): Promise<{ digest: string; rowCount: number }> {
    const createdAt = this.clock.nowMs() * 1000
    const stamp = { project_id: writer.projectId, created_at: createdAt }
    const start = await this.inCatalog(writer, (catalog) => startAfter(catalog, baseDigest, this.hashes))
    const { list, hash, places } = start
    let { open } = start
    const writeChunk = async () => {
      const digest = tableDigest(open)
      const chunk = { ...stamp, digest, row_digests: open, ...summaryOf(open, places) }
      await this.store.write(tableChunks.name, [tableChunks.row(chunk)])
      list.push([digest, open.length])
      open = []
      places.clear()
    }
    for await (const batch of batches) {
      const added = await this.rows.add(writer, batch, createdAt)
      hash.update(batch.digests.join(''))
      for (const digest of batch.digests) {
        open.push(digest)
        places.set(digest, present(added.get(digest), 'The place of a stored row'))
        if (open.length === requestLimits.tableChunkRowsMax) await writeChunk()
      }
    }
    if (open.length > 0) await writeChunk()
    const digest = this.hashes.finish(hash)
    const rowCount = list.reduce((sum, [, count]) => sum + count, 0)
    const known = await this.inCatalog(writer, (catalog) => catalog.findList(digest))
    const { isComplete } = start
    if (!known?.isComplete) await this.writeList(writer, { digest, rowCount, chunks: list, isComplete }, createdAt)
    return { digest, rowCount }
  }

  private async save(
    writer: ProjectWriter,
    rowDigests: readonly string[],
    sent: SentRows,
    expectedDigest: string | null | undefined,
  ): Promise<string> {
    const digest = this.hashes.finish(await hashOf(rowDigests))
    if (expectedDigest != null && expectedDigest !== digest) {
      const expected = expectedDigest.slice(0, 200)
      throw new DomainError(
        'DigestMismatch',
        `\`expected_digest\` "${expected}" does not match: the digest of the table is "${digest}"`,
      )
    }
    const pieces: Piece[] = rowDigests.length === 0 ? [] : [{ kind: 'loose', digests: rowDigests.slice() }]
    await this.storeTable(writer, { digest, pieces, sent, base: undefined })
    return digest
  }

  /**
   * Stores the missing parts of a table; referenced parts are durable before those that refer to
   * them.
   */
  private async storeTable(writer: ProjectWriter, wanted: WantedTable): Promise<void> {
    const plan = await this.inCatalog(writer, (catalog) => planTable(wanted, catalog))
    if (plan.isStored) return
    // A base written by an earlier version may lack rows; nothing new may refer to missing rows.
    if (wanted.base === undefined && !plan.isComplete) refuseMissing(wanted.pieces, plan)
    const createdAt = this.clock.nowMs() * 1000
    const stamp = { project_id: writer.projectId, created_at: createdAt }
    const added = await this.rows.add(writer, plan.rows, createdAt)
    const places: RowPlaces = { get: (digest) => added.get(digest) ?? plan.known.get(digest) }
    const slice = new TimeSlice()
    for (let from = 0; from < plan.chunks.length; from += requestLimits.tableChunksRead) {
      const chunks: Row[] = []
      for (const { digest, rows } of plan.chunks.slice(from, from + requestLimits.tableChunksRead)) {
        chunks.push(tableChunks.row({ ...stamp, digest, row_digests: rows, ...summaryOf(rows, places) }))
        if (slice.expiredNow) await slice.yield()
      }
      await this.store.write(tableChunks.name, chunks)
    }
    const rowCount = plan.list.reduce((sum, [, count]) => sum + count, 0)
    const { digest, list: chunks, isComplete } = plan
    await this.writeList(writer, { digest, rowCount, chunks, isComplete }, createdAt)
  }

  private async writeList(writer: ProjectWriter, list: TableList, createdAt: number): Promise<void> {
    const row = tableLists.row({
      project_id: writer.projectId,
      created_at: createdAt,
      digest: list.digest,
      row_count: list.rowCount,
      chunks: JSON.stringify(list.chunks),
      is_complete: list.isComplete ? 1 : 0,
      ext_user_id: writer.userId,
    })
    await this.store.write(tableLists.name, [row])
  }

  private async inCatalog<T>(writer: ProjectWriter, work: (catalog: TableCatalog) => Promise<T>): Promise<T> {
    return await this.store.read([tableRows.name, tableChunks.name, tableLists.name], writer, (snapshot) =>
      work(new TableCatalog(snapshot, writer)),
    )
  }
}

/** Where a table that follows a base begins: its last chunk is filled up. */
async function startAfter(catalog: TableCatalog, baseDigest: string | undefined, hashes: HashStates) {
  const places = new Map<string, RowPlace>()
  const list: [chunk: string, rows: number][] = []
  let open: string[] = []
  if (baseDigest === undefined) return { list, open, places, hash: new Sha256(), isComplete: true }
  const base = await catalog.findList(baseDigest)
  if (base === undefined) throw new DomainError('NotFound', `The table ${quoted(baseDigest)} does not exist`)
  const hash = hashes.find(baseDigest) ?? (await hashOfPieces(storedPieces(base), catalog))
  list.push(...base.chunks.map(([chunk, rows]): [string, number] => [chunk, rows]))
  const last = list.at(-1)
  if (last === undefined || last[1] >= requestLimits.tableChunkRowsMax || !base.isComplete)
    return { list, open, places, hash, isComplete: base.isComplete }
  list.pop()
  open = [...valueAt(await catalog.rowDigests([last[0]]), last[0])]
  for (const [digest, place] of await catalog.places([...new Set(open)])) places.set(digest, place)
  return { list, open, places, hash, isComplete: true }
}

/** Size and bounds of a chunk; null unless all of its rows exist. */
function summaryOf(rows: readonly string[], places: RowPlaces) {
  const summary = { size_bytes: 0, seq_min: Number.MAX_SAFE_INTEGER, seq_max: 0 }
  for (const row of rows) {
    const place = places.get(row)
    if (place === undefined) return { size_bytes: null, seq_min: null, seq_max: null }
    summary.size_bytes += place.bytes
    summary.seq_min = Math.min(summary.seq_min, place.seq)
    summary.seq_max = Math.max(summary.seq_max, place.seq)
  }
  return summary
}

function refuseMissing(pieces: readonly Piece[], { known, rows }: TablePlan): void {
  const digests = pieces.flatMap((piece) => (piece.kind === 'loose' ? piece.digests : []))
  const isMissing = (digest: string) => !known.has(digest) && !rows.has(digest)
  refuse(digests, isMissing, 'is not the digest of a row in the project; send the row with /table/create first')
}

/** @throws ValidationError listing the first digests that are wrong, if any */
function refuse(digests: readonly string[], isWrong: (digest: string) => boolean, why: string): void {
  const violations: Violation[] = []
  for (const [at, digest] of digests.entries()) {
    if (violations.length === requestLimits.violationsMax) break
    if (!isWrong(digest)) continue
    const msg = `${quoted(digest)} ${why}`
    violations.push({ loc: ['body', 'row_digests', String(at)], msg, type: 'value_error' })
  }
  if (violations.length > 0) throw new ValidationError(violations)
}

const storedPieces = ({ chunks }: TableList): Piece[] =>
  chunks.map(([chunk, rows]) => ({ kind: 'stored', chunk, chunkRows: rows, from: 0, to: rows }))

/** Tables of rows, the basis of datasets and evaluations. */
export class RowTables {
  readonly writer: TableWriter
  readonly reader: TableReader

  constructor(options: { store: Store; clock: Clock }) {
    this.writer = new TableWriter(options)
    this.reader = new TableReader(options)
  }
}
