import type { StreamSnapshot } from '../../engine/reads/snapshot.ts'
import type { Store } from '../../engine/store.ts'
import { encodeTexts, jsonLines } from '../../formats/wire/byte-stream.ts'
import { queryLimits } from '../../lib/limits/queries.ts'
import { responseLimits } from '../../lib/limits/responses.ts'
import type { LineWindow } from '../../query/calls-plan.ts'
import { compileJsonLines, compileNdjson, compileSplitJsonLines } from '../../query/sql/statements.ts'
import type { Costs, PriceBook } from '../costs/index.ts'
import { linesWithCosts, pricedRelations, pricesFor } from './add-costs.ts'
import type { HeavyQuestions } from './clickhouse/heavy-questions.ts'
import { expandRefs, type RefResolver } from './expand-refs.ts'
import { fewLines, fewLinesInFiles } from './few-lines.ts'
import { type PlannedRead, tablesOf } from './plan.ts'
import { type CallsRead, linesInTime } from './time-windows.ts'

interface PricedRead extends CallsRead {
  /** Undefined if costs are not requested. */
  readonly prices: PriceBook | undefined
}

interface InStream {
  /** Whether they may be few lines that are read without DuckDB. */
  readonly mayBeFew: boolean
  readonly signal: AbortSignal
}

/** Calls as JSON Lines, in order, with constant memory. */
export class CallLines {
  private readonly store: Store
  private readonly costs: Costs
  private readonly refs: RefResolver
  private readonly heavy: HeavyQuestions

  constructor(options: { store: Store; costs: Costs; refs: RefResolver; heavy: HeavyQuestions }) {
    this.store = options.store
    this.costs = options.costs
    this.refs = options.refs
    this.heavy = options.heavy
  }

  /** One text per call, with refs expanded if requested. */
  async *texts(planned: PlannedRead, signal: AbortSignal): AsyncGenerator<string[]> {
    const { expand } = planned.plan
    if (expand.length === 0) {
      yield* this.plainTexts(planned, signal)
      return
    }
    for await (const lines of this.plainTexts(planned, signal)) {
      // Each line may grow by everything its refs refer to, so only a few are held at a time.
      for (let from = 0; from < lines.length; from += queryLimits.expandedLinesMax) {
        yield await expandRefs(
          lines.slice(from, from + queryLimits.expandedLinesMax),
          expand,
          planned.reader,
          this.refs,
        )
      }
    }
  }

  /** The same as bytes with line feeds, in chunks of about half a megabyte. */
  async *bytes(planned: PlannedRead, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { plan } = planned
    if (plan.expand.length > 0 || plan.output.costs) {
      yield* encodeTexts(this.texts(planned, signal), jsonLines)
      return
    }
    if (plan.limit === 0) return
    const few = planned.engine === 'clickhouse' ? undefined : await fewLinesInFiles(this.store, plan, signal)
    if (few) yield* encodeTexts(oneBatch(few), jsonLines)
    else
      yield* this.store.stream(tablesOf(plan), { projectId: plan.projectId, signal }, (snapshot) =>
        this.bytesIn(snapshot, planned, { mayBeFew: few === null, signal }),
      )
  }

  private async *bytesIn(
    snapshot: StreamSnapshot,
    { reader, plan, engine }: PlannedRead,
    { mayBeFew, signal }: InStream,
  ): AsyncGenerator<Uint8Array> {
    const few = mayBeFew ? await fewLines(snapshot, plan) : undefined
    if (few !== undefined) {
      yield* encodeTexts(oneBatch(few), jsonLines)
      return
    }
    const relations = await pricedRelations(this.costs, snapshot, plan, reader)
    const read = { snapshot, plan, relations, search: this.heavy.search(snapshot, engine, signal) }
    const rows = linesInTime(read, ({ plan, relations }, window) =>
      snapshot.textRows(compileNdjson(plan, relations, window)),
    )
    for await (const some of rows) yield* some.pieces(responseLimits.streamChunkBytes)
  }

  private async *plainTexts(planned: PlannedRead, signal: AbortSignal): AsyncGenerator<string[]> {
    const { plan } = planned
    if (plan.limit === 0) return
    const few = planned.engine === 'clickhouse' ? undefined : await fewLinesInFiles(this.store, plan, signal)
    if (few) yield [...few]
    else
      yield* this.store.stream(tablesOf(plan), { projectId: plan.projectId, signal }, (snapshot) =>
        this.plainTextsIn(snapshot, planned, { mayBeFew: few === null, signal }),
      )
  }

  private async *plainTextsIn(
    snapshot: StreamSnapshot,
    { reader, plan, engine }: PlannedRead,
    { mayBeFew, signal }: InStream,
  ): AsyncGenerator<string[]> {
    const few = mayBeFew ? await fewLines(snapshot, plan) : undefined
    if (few !== undefined) {
      yield [...few]
      return
    }
    const relations = await pricedRelations(this.costs, snapshot, plan, reader)
    const prices = await pricesFor(this.costs, snapshot, plan, reader)
    const search = this.heavy.search(snapshot, engine, signal)
    yield* linesInTime({ snapshot, plan, relations, prices, search }, pricedTexts)
  }
}

async function* oneBatch(lines: readonly string[]): AsyncGenerator<readonly string[]> {
  yield lines
}

/** The lines of a plan, with costs if requested. */
function pricedTexts({ snapshot, plan, relations, prices }: PricedRead, window?: LineWindow) {
  if (prices === undefined) return snapshot.texts(compileJsonLines(plan, relations, window))
  return linesWithCosts(snapshot.columns(compileSplitJsonLines(plan, relations, window)), prices)
}
