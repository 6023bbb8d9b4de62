import type { KeptTrials, TrialScope, TrialValue } from '../../../query/eval-results/plan.ts'
import { lateChildrenStatement, trialsStatement } from '../../../query/sql/eval-results/scored-trials.ts'
import type { Snapshot } from '../../../store/snapshot.ts'

/** Keeps the trials with the values, and where they are to be summed up with all scores and tokens. */
export async function keepTrials(
  snapshot: Snapshot,
  scope: TrialScope,
  options: { values: readonly TrialValue[]; summed: boolean; children: boolean },
): Promise<KeptTrials> {
  const { values, summed, children } = options
  const keep = async (table: string, scores: boolean) => {
    await snapshot.createTempTable(table, trialsStatement(scope, { values, scores, tokens: summed }))
    return table
  }
  const table = await keep('trials_of_evaluations', summed)
  if (!children || !(await hasLateChildren(snapshot, scope, table))) return { table, late: false }
  // Rare: most evaluations say all scores in their trials, and then nothing has to be looked for among millions of children.
  return { table: summed ? table : await keep('trials_with_all_scores', true), late: true }
}

async function hasLateChildren(snapshot: Snapshot, scope: TrialScope, table: string) {
  const [row] = await snapshot.rows(lateChildrenStatement(scope, table))
  return row![0] === 1
}
