import { jobLimits } from '../../../lib/limits/jobs.ts'
import { type EngineDeps, loadScorers, writerOf } from './engine-deps.ts'
import { callsToScore, type ScoreBudget, type ScoredCall, type Scoring, scoreCosts, scoreOf } from './score-calls.ts'

/** What a scorer says about a call, without a trace of it in the store. */
interface TriedScore {
  readonly scorer_ref: string
  readonly scorer: string
  readonly value: unknown
  readonly error: string | null
  /** In US dollars; 0 for models without a price. */
  readonly cost: number
}

/** A call with what the scorers say about it. */
export interface TriedCall {
  readonly call_id: string
  readonly scores: readonly TriedScore[]
}

/**
 * Runs scorers on calls as `scoreCalls` does, and stores nothing. Yields the calls in the order in
 * which they are done, and ends early when the budget is spent.
 *
 * @throws DomainError as `scoreCalls`
 */
export async function* tryScorers(
  deps: EngineDeps,
  work: Omit<Scoring, 'id'>,
  signal: AbortSignal,
  budget: ScoreBudget,
): AsyncGenerator<TriedCall> {
  const writer = writerOf(work)
  const scorers = await loadScorers(deps, writer, work.scorer_refs)
  const costOf = scoreCosts(deps, writer)
  const atOnce = budget.isLimited ? 1 : jobLimits.trialsAtOnce
  const tryOne = async (call: ScoredCall): Promise<TriedCall> => {
    const scores: TriedScore[] = []
    for (const scorer of scorers) {
      if (budget.isSpent()) break
      const said = await scoreOf(scorer, call, signal)
      signal.throwIfAborted()
      const cost = await costOf(said)
      await budget.add(cost)
      const { value, error } = 'error' in said ? { value: null, error: said.error } : { value: said.value, error: null }
      scores.push({ scorer_ref: scorer.ref, scorer: scorer.name, value, error, cost })
    }
    return { call_id: call.id, scores }
  }
  const calls = callsToScore(deps, writer, work.call_ids, signal)
  const running = new Map<ScoredCall, Promise<{ call: ScoredCall; tried: TriedCall }>>()
  const takeFirst = async (): Promise<TriedCall> => {
    const { call, tried } = await Promise.race(running.values())
    running.delete(call)
    return tried
  }
  for await (const call of calls) {
    if (running.size >= atOnce) yield await takeFirst()
    if (budget.isSpent()) break
    const trying = tryOne(call).then((tried) => ({ call, tried }))
    // A failure is thrown when its turn comes.
    trying.catch(() => {})
    running.set(call, trying)
  }
  while (running.size > 0) yield await takeFirst()
}
