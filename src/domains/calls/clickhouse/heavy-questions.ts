import type { ReadScope } from '../../../engine/reads/reads.ts'
import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import type { Store } from '../../../engine/store.ts'
import { DomainError } from '../../../lib/errors.ts'
import type { ClickHouseServer } from '../../../runtime/clickhouse/clickhouse-server.ts'
import { Answering, NeedsLongRead, Search } from './search.ts'

/** The engine that a request names. Without one, the amount of data decides. */
export type RequestedEngine = 'duckdb' | 'clickhouse' | null | undefined

/** Searches in data files by ClickHouse, if a request asks for it, or if much has to be read. */
export class HeavyQuestions {
  private readonly answering: Answering | undefined

  /** @param server absent if none is configured */
  constructor(server?: ClickHouseServer) {
    this.answering = server && new Answering(server)
  }

  /**
   * The search of a long read.
   *
   * @throws DomainError InvalidRequest without a server that is named
   */
  search(snapshot: Snapshot, engine: RequestedEngine, signal: AbortSignal | undefined): Search {
    return new Search(this.answeringFor(engine), { snapshot, isForced: engine === 'clickhouse', signal })
  }

  /**
   * Like `Store.read`, for a request that may need a search: only then is it a long read, as others
   * must not wait for ClickHouse.
   *
   * @throws whatever `read` throws; DomainError InvalidRequest without a server that is named
   */
  async read<T>(
    store: Store,
    { tables, engine, ...scope }: ReadScope & { readonly tables: readonly string[]; readonly engine: RequestedEngine },
    read: (snapshot: Snapshot, search: Search) => Promise<T>,
  ): Promise<T> {
    const isForced = engine === 'clickhouse'
    const answering = this.answeringFor(engine)
    if (!isForced) {
      try {
        return await store.read(tables, scope, (snapshot) =>
          read(snapshot, new Search(answering, { snapshot, isForced, isShort: true, signal: scope.signal })),
        )
      } catch (error) {
        if (!(error instanceof NeedsLongRead)) throw error
      }
    }
    return await store.readLong(tables, scope, (snapshot) =>
      read(snapshot, new Search(answering, { snapshot, isForced, signal: scope.signal })),
    )
  }

  private answeringFor(engine: RequestedEngine): Answering | undefined {
    if (engine === 'clickhouse' && this.answering === undefined)
      throw new DomainError('InvalidRequest', '`engine` is "clickhouse", but TRACELAKE_CLICKHOUSE_URL is not set')
    return engine === 'duckdb' ? undefined : this.answering
  }
}
