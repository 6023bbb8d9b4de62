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

/** How lines are answered: a few that have been read without DuckDB, or all those of a read. */
interface Answer<Some> {
  readonly ofFew: (lines: readonly string[]) => AsyncGenerator<Some>
  readonly ofRead: (read: PricedRead) => AsyncGenerator<Some>
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
    yield* this.answered(planned, signal, {
      ofFew: (lines) => encodeTexts(oneBatch(lines), jsonLines),
      ofRead: piecesOf,
    })
  }

  private plainTexts(planned: PlannedRead, signal: AbortSignal): AsyncGenerator<string[]> {
    return this.answered(planned, signal, { ofFew: oneBatch, ofRead: (read) => linesInTime(read, pricedTexts) })
  }

  private async *answered<Some>(
    { reader, plan, engine }: PlannedRead,
    signal: AbortSignal,
    { ofFew, ofRead }: Answer<Some>,
  ): AsyncGenerator<Some> {
    if (plan.limit === 0) return
    const { store, costs, heavy } = this
    const inFiles = engine === 'clickhouse' ? undefined : await fewLinesInFiles(store, plan, signal)
    if (inFiles) {
      yield* ofFew(inFiles)
      return
    }
    yield* store.stream(tablesOf(plan), { projectId: plan.projectId, signal }, async function* (snapshot) {
      // Null: there are rows in memory, but they may be few.
      const few = inFiles === null ? await fewLines(snapshot, plan) : undefined
      if (few !== undefined) {
        yield* ofFew(few)
        return
      }
      const relations = await pricedRelations(costs, snapshot, plan, reader)
      const prices = await pricesFor(costs, snapshot, plan, reader)
      yield* ofRead({ snapshot, plan, relations, prices, search: heavy.search(snapshot, engine, signal) })
    })
  }
}

async function* oneBatch(lines: readonly string[]): AsyncGenerator<string[]> {
  yield [...lines]
}

/** The lines of a read without costs as bytes. */
async function* piecesOf(read: PricedRead): AsyncGenerator<Uint8Array> {
  const rows = linesInTime(read, ({ snapshot, plan, relations }, window) =>
    snapshot.textRows(compileNdjson(plan, relations, window)),
  )
  for await (const some of rows) yield* some.pieces(responseLimits.streamChunkBytes)
}

/** The lines of a plan, with costs if requested. */
function pricedTexts({ snapshot, plan, relations, prices }: PricedRead, window?: LineWindow) {
  if (prices === undefined) return snapshot.texts(compileJsonLines(plan, relations, window))
  return linesWithCosts(snapshot.columns(compileSplitJsonLines(plan, relations, window)), prices)
}
