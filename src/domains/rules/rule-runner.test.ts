import { expect, test } from 'bun:test'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { type Watcher, Watchers } from '../../engine/watchers.ts'
import type { CellReader } from '../../lib/table.ts'
import { createLog } from '../../runtime/log.ts'
import { systemClock } from '../../runtime/platform/clock.ts'
import { Arrivals, Ticks } from './arrivals.ts'
import { RuleRunner, type RunnerParts } from './rule-runner.ts'
import type { StoredRule } from './stored-rule.ts'

const rule = {
  id: 'r',
  projectId: 'a/b',
  action: { kind: 'add_to_queue', queue_id: 'q', display_fields: [] },
  sample_rate: 1,
  condition: null,
  is_paused: false,
  createdBy: 'u',
  createdByName: 'u',
  createdAt: 1,
} as unknown as StoredRule

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(1)
}

/** A runner whose rules find nothing; a change of a rule lasts until `finishChange`. */
function runnerOf() {
  const watchers = new Watchers()
  const store = { watch: (table: string, watcher: Watcher) => watchers.add(table, watcher) }
  const reads: number[] = []
  const change = Promise.withResolvers<void>()
  const runner = new RuleRunner({
    arrivals: new Arrivals(store as never),
    ticks: new Ticks(1),
    calls: {
      after: async (_reader: unknown, _of: unknown, after: number) => {
        reads.push(after)
        return { calls: [], through: undefined }
      },
    },
    progress: { save: async () => {} },
    deliveries: { pending: () => change.promise.then(() => []) },
    clock: systemClock,
    log: createLog('silent'),
  } as unknown as RunnerParts)
  const beginWrite = (micros: number) => {
    const row = { text: () => rule.projectId, number: () => micros } as unknown as CellReader
    return watchers.show(callsTable.name, [row])
  }
  return { runner, reads, beginWrite, finishChange: change.resolve }
}

test('a changed rule sees calls that were being written while it changed', async () => {
  const { runner, reads, beginWrite, finishChange } = runnerOf()
  runner.start(rule)
  await until(() => reads.length === 1)
  const changed = runner.restart(rule, { isFromNow: false })
  await Bun.sleep(10)
  const endWrite = beginWrite(7_000)
  finishChange()
  await changed
  await until(() => reads.length === 2)
  endWrite()
  await until(() => reads.length === 3)
  expect(reads.at(-1)).toBeLessThan(7_000)
  await runner.stop()
}, 120_000)
