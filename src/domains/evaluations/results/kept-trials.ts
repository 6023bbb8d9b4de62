import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import type { KeptTrials, TrialScope, TrialValue } from '../plan/plan.ts'
import { lateChildrenStatement, trialsStatement } from '../sql/scored-trials.ts'

/** Keeps the trials with the values, including all scores and tokens if they are summarized. */
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
  // Rare: most evaluations have all scores in their trials, which avoids searching millions of
  // children.
  return { table: summed ? table : await keep('trials_with_all_scores', true), late: true }
}

async function hasLateChildren(snapshot: Snapshot, scope: TrialScope, table: string) {
  const [row] = await snapshot.rows(lateChildrenStatement(scope, table))
  return row![0] === 1
}
