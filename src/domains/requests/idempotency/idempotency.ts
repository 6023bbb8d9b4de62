import type { Store } from '../../../engine/store.ts'
import { idempotencyPartition, idempotencyTable } from '../../../engine/tables/idempotency-table.ts'
import { DomainError, ValidationError } from '../../../lib/errors.ts'
import { storageLimits } from '../../../lib/limits/storage.ts'
import { ascendingBy } from '../../../query/sort.ts'
import { tableCatalog } from '../../../query/table-catalog.ts'
import type { Log } from '../../../runtime/log.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import { sha256Base64Url } from '../../../runtime/platform/crypto.ts'
import { DeterministicIds } from '../../../runtime/platform/new-id.ts'
import { Caller } from '../../access/index.ts'
import { TableRows } from '../../records/index.ts'

/** A request with an idempotency key. */
export interface KeyedRequest {
  /** Id of its API key. */
  readonly userId: string
  /** Method and path with query string. */
  readonly target: string
  readonly key: string
  /** The parsed body. */
  readonly body: unknown
  /** The project that the request names. */
  readonly projectId: string | null
}

export interface KeptAnswer {
  readonly status: number
  readonly text: string
}

/** A request to execute, perhaps again after a crash: then it generates the same ids as before. */
export interface Begun {
  readonly ids: DeterministicIds
  /**
   * Records the outcome. Called once; without a response, the request failed in a transient way.
   */
  finish(answer: KeptAnswer | undefined): Promise<void>
}

const partition = new Caller({ userId: 'server', userName: 'server', role: 'admin', scope: '*' }).read(
  idempotencyPartition,
)

/**
 * Requests that clients can safely retry (draft-ietf-httpapi-idempotency-key-header). A request is
 * recorded before it is executed and its response afterwards. After a crash in between, a retry is
 * executed again with the same ids and overwrites the same rows. See
 * docs/decisions/087-idempotency-keys.md.
 */
export class Idempotency {
  private readonly store: Store
  private readonly clock: Clock
  private readonly rows: TableRows
  /** Requests in progress: id → fingerprint. */
  private readonly running = new Map<string, string>()

  constructor(options: { store: Store; clock: Clock }) {
    this.store = options.store
    this.clock = options.clock
    this.rows = new TableRows({
      store: options.store,
      table: idempotencyTable,
      rules: {
        catalog: tableCatalog(idempotencyTable),
        otherwise: [{ field: 'created_at', direction: 'desc' }],
        tieBreaker: ascendingBy('id'),
      },
    })
  }

  /**
   * Begins a request, or returns its recorded response.
   *
   * @throws ValidationError for an invalid key or one that was used with a different body;
   *   DomainError RepeatedTooEarly while the first request is in progress
   */
  async begin({ userId, target, key, body, projectId }: KeyedRequest): Promise<KeptAnswer | Begun> {
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw refused('it must have 1 to 255 printable ASCII characters without spaces')
    }
    const id = sha256Base64Url(JSON.stringify([userId, target, key]))
    const fingerprint = sha256Base64Url(JSON.stringify(body) ?? '')
    const running = this.running.get(id)
    if (running !== undefined) {
      if (running !== fingerprint) throw refusedBody(key)
      const reason = `The first request with Idempotency-Key "${key}" is still in progress; retry later`
      throw new DomainError('RepeatedTooEarly', reason)
    }
    this.running.set(id, fingerprint)
    try {
      const known = await this.find(id)
      if (known !== undefined && known.fingerprint !== fingerprint) throw refusedBody(key)
      if (known?.answer !== undefined) {
        this.running.delete(id)
        return known.answer
      }
      const createdAt = known?.createdAt ?? this.clock.nowMs() * 1000
      const begun = { id, target_project_id: projectId, fingerprint, created_at: createdAt }
      if (known === undefined) await this.write(begun)
      return {
        ids: new DeterministicIds(id, Math.floor(createdAt / 1000)),
        finish: (answer) => this.finish(begun, answer),
      }
    } catch (cause) {
      this.running.delete(id)
      throw cause
    }
  }

  /**
   * Deletes keys older than a day, and the oldest if there are too many. @returns the number
   * deleted
   */
  async forgetOld(): Promise<number> {
    if (this.store.isEmpty(idempotencyTable.name)) return 0
    const before = (this.clock.nowMs() - storageLimits.idempotencyKeptMs) / 1000
    const old = { $expr: { $lt: [{ $getField: 'created_at' }, { $literal: before }] } }
    let forgotten = 0
    for (const selection of [{ query: old }, { offset: storageLimits.idempotencyKeysMax }]) {
      for (;;) {
        const found = await this.rows.select(partition, idempotencyTable.select('id'), { ...selection, limit: batch })
        if (found.length === 0) break
        const nowMicros = this.clock.nowMs() * 1000
        await this.store.write(
          idempotencyTable.name,
          found.map(({ id }) => tombstone(id, nowMicros)),
        )
        forgotten += found.length
        if (found.length < batch) break
      }
    }
    return forgotten
  }

  private async finish(begun: StoredBeginning, answer: KeptAnswer | undefined): Promise<void> {
    try {
      if (answer === undefined) return
      const { status, text } = answer
      // A rejected request is executed again: it created nothing, and may succeed next time.
      if (status >= 400) {
        await this.store.write(idempotencyTable.name, [tombstone(begun.id, this.clock.nowMs() * 1000)])
        return
      }
      // A longer response is not kept; a retry computes it again from the same rows.
      if (text.length <= storageLimits.idempotencyAnswerCharsMax) await this.write(begun, answer)
    } finally {
      this.running.delete(begun.id)
    }
  }

  private async find(id: string) {
    if (this.store.isEmpty(idempotencyTable.name)) return undefined
    const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: id }] } }
    const [row] = await this.rows.select(partition, keyCells, { query })
    if (row === undefined) return undefined
    const { fingerprint, status, answer, created_at } = row
    if (created_at / 1000 < this.clock.nowMs() - storageLimits.idempotencyKeptMs) return undefined
    return {
      fingerprint,
      createdAt: created_at,
      answer: status === null ? undefined : { status, text: answer ?? '' },
    }
  }

  private async write(
    begun: StoredBeginning,
    { status, text }: { readonly status: number | null; readonly text: string | null } = nothingYet,
  ): Promise<void> {
    await this.store.write(idempotencyTable.name, [
      idempotencyTable.row({ project_id: idempotencyPartition, ...begun, status, answer: text }),
    ])
  }
}

const keyCells = idempotencyTable.select('fingerprint', 'status', 'answer', 'created_at')

interface StoredBeginning {
  readonly id: string
  readonly target_project_id: string | null
  readonly fingerprint: string
  /** Microseconds. */
  readonly created_at: number
}

const nothingYet = { status: null, text: null }
const batch = 5_000

const tombstone = (id: string, nowMicros: number) => idempotencyTable.tombstone(idempotencyPartition, id, nowMicros)

const refused = (why: string): ValidationError =>
  new ValidationError([
    { loc: ['header', 'idempotency-key'], msg: `Invalid Idempotency-Key: ${why}`, type: 'value_error' },
  ])

const refusedBody = (key: string): ValidationError =>
  refused(`"${key}" was already used with a different body; use a new key for a new request`)

/** Periodically deletes expired idempotency keys. */
export function startKeySweep(idempotency: Idempotency, log: Log): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  const sweep = () => {
    running = idempotency.forgetOld().then(
      (forgotten) => {
        if (forgotten > 0) log.info({ forgotten }, 'deleted expired idempotency keys')
      },
      (err: unknown) => log.error({ err }, 'deleting expired idempotency keys failed; it will be retried'),
    )
  }
  const timer = setInterval(sweep, storageLimits.idempotencySweepMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
