import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { makeTempFolder, removeFolder } from '../../../test/conformance/support/temp-folder.ts'
import {
  type Bounds,
  exploreAll,
  exploreRandomly,
  type Findings,
  type Scenario,
} from '../../../test/lake/checker/explore.ts'
import type { Program } from '../../../test/lake/checker/log-node.ts'
import { mutatedLog, mutations } from '../../../test/lake/checker/mutated-log.ts'
import { seedOr } from '../../../test/store/random.ts'

setDefaultTimeout(3_600_000)

const folder = await makeTempFolder()
afterAll(() => removeFolder(folder))

/** Random schedules; with a number of them, `scripts/test lake` asks for wider bounds, too. */
const asked = process.env['TRACELAKE_TEST_SCHEDULES']
const schedules = Number(asked ?? 250)
const isLong = asked !== undefined
const msMax = isLong ? 60_000 : 30_000

const program: Program = ['append', 'append', 'flush', 'append']
const long: Program = ['append', 'flush', 'append', 'append', 'flush', 'append', 'flush', 'append']
const nodes = (count: number, each = program): Scenario => ({ programs: Array.from({ length: count }, () => each) })
/** Each has read the log at some time before it takes over. */
const standbys = (count: number, each = program): Scenario => ({ ...nodes(count, each), isPrepared: true })

function report(what: string, { schedules, states, steps, ms, isComplete, fault }: Findings): string[] | undefined {
  const numbers = [schedules, states, steps].map((count) => count.toLocaleString('en-US'))
  const all = isComplete ? 'all' : 'some'
  console.log(
    `${what}: ${all} schedules: ${numbers[0]}, states: ${numbers[1]}, steps: ${numbers[2]}, ${Math.round(ms)} ms`,
  )
  return fault
}

const everyday: [string, Scenario, Bounds][] = [
  ['one node, one fault and a kill', nodes(1), { pauses: 0, faults: 1, kills: 1 }],
  ['two nodes, two pauses', nodes(2), { pauses: 2, faults: 0, kills: 0 }],
  ['two standbys, two pauses', standbys(2), { pauses: 2, faults: 0, kills: 0 }],
]
const wide: [string, Scenario, Bounds][] = [
  ['one node, three faults', nodes(1), { pauses: 0, faults: 3, kills: 0 }],
  ['two nodes, a pause, a fault and a kill', nodes(2), { pauses: 1, faults: 1, kills: 1 }],
  ['two nodes, three pauses', nodes(2), { pauses: 3, faults: 0, kills: 0 }],
  ['two nodes, two pauses and a fault', nodes(2), { pauses: 2, faults: 1, kills: 0 }],
  ['two standbys, three pauses', standbys(2), { pauses: 3, faults: 0, kills: 0 }],
  ['three nodes, three pauses', nodes(3), { pauses: 3, faults: 0, kills: 0 }],
  ['two nodes with three flushes each, two pauses', nodes(2, long), { pauses: 2, faults: 0, kills: 0 }],
]

test.each(isLong ? [...everyday, ...wide] : everyday)(
  'every schedule keeps what was acknowledged: %s',
  async (...each) => {
    const [what, scenario, bounds] = each
    expect(report(what, await exploreAll(scenario, bounds, { msMax }))).toBeUndefined()
  },
)

test('random schedules keep what was acknowledged', async () => {
  const seed = seedOr(1)
  const bounds = { pauses: 0, faults: 4, kills: 2 }
  for (const [what, scenario] of [
    ['two nodes, at random', nodes(2, long)],
    ['three nodes, at random', nodes(3)],
    ['three standbys, at random', standbys(3, long)],
  ] as const)
    expect(report(what, await exploreRandomly(scenario, bounds, { seed, schedules }))).toBeUndefined()
})

const lost = expect.stringMatching(/is lost$/)
const noFaults = { pauses: 2, faults: 0, kills: 0 }

test('fences that clean-up removes are found (rule 1)', async () => {
  const open = await mutatedLog(mkdtempSync(join(folder, 'rule-')), mutations.fencesAreRemoved)
  const fault = report('without rule 1', await exploreAll({ ...nodes(2), open }, noFaults, { msMax }))
  expect(fault).toContainEqual(lost)
})

test('a fence that is not checked afterwards is found (rule 2)', async () => {
  const open = await mutatedLog(mkdtempSync(join(folder, 'rule-')), mutations.nothingIsReadAgain)
  const found = await exploreRandomly({ ...nodes(3), open }, noFaults, { seed: 1, schedules: 5_000 })
  expect(report('without rule 2', found)).toContainEqual(lost)
})

test('a border that moves outside of the commit of its rows is found (rule 3)', async () => {
  const scenario: Scenario = { ...nodes(2), mutation: 'border before the rows' }
  expect(report('without rule 3', await exploreAll(scenario, noFaults, { msMax }))).toContainEqual(lost)
  const killed = { pauses: 0, faults: 0, kills: 1 }
  expect(report('without rule 3, killed', await exploreAll(scenario, killed, { msMax }))).toContainEqual(lost)
})

test('an own object that is taken for that of another is found (rule 5)', async () => {
  const open = await mutatedLog(mkdtempSync(join(folder, 'rule-')), mutations.ownIsForeign)
  const found = await exploreAll({ ...nodes(1), open }, { pauses: 0, faults: 1, kills: 0 }, { msMax })
  expect(report('without rule 5', found)).toContain('the only node was fenced')
})
