import { openLog } from '../../../src/engine/lake/open-log.ts'
import { Random } from '../../store/random.ts'
import { memoryStoreOf } from '../simulated-store.ts'
import { LogNode, type Program } from './log-node.ts'
import type { FlushMutation } from './simulated-table.ts'
import { type Step, World } from './world.ts'

/** What is checked: the programs of the nodes, and the code of the log. */
export interface Scenario {
  readonly programs: readonly Program[]
  readonly open?: typeof openLog
  readonly mutation?: FlushMutation
  /** See `LogCode`. */
  readonly isPrepared?: boolean
}

/** How much may go wrong in one schedule. */
export interface Bounds {
  /** How often a node is paused that could go on. */
  readonly pauses: number
  /** Answers lost, requests dropped or delayed. */
  readonly faults: number
  readonly kills: number
}

export interface Findings {
  schedules: number
  /** Situations that differ. */
  states: number
  steps: number
  ms: number
  /** Whether everything within the bounds was tried. */
  isComplete: boolean
  /** The first schedule with a fault: what is wrong, and what happened. */
  fault: string[] | undefined
}

type Choose = (steps: readonly Step[], world: World, last: number | undefined) => Step

/** Runs a scenario once; `choose` picks each step. */
async function runOnce(scenario: Scenario, bounds: Bounds, choose: Choose): Promise<World> {
  const world = new World()
  const { open = openLog, mutation, isPrepared } = scenario
  const nodes: LogNode[] = []
  for (const program of scenario.programs)
    world.start((store, index) => {
      const node = new LogNode(world, store, `n${index}`, { open, mutation, isPrepared })
      nodes.push(node)
      return node.run(program)
    })
  await world.settle()
  let [faults, kills] = [0, 0]
  let last: number | undefined
  while (!world.isDone) {
    const steps = world.possible({ withFaults: faults < bounds.faults, withKills: kills < bounds.kills })
    const step = choose(steps, world, last)
    if (step.kind === 'kill') kills++
    else if (step.kind !== 'do' && step.kind !== 'arrive') faults++
    if (step.kind !== 'arrive') last = step.of
    await world.take(step)
  }
  for (const node of world.stuck) world.faults.push(`node ${node} waits for ever`)
  if (nodes.length === 1 && nodes[0]?.wasFenced) world.faults.push('the only node was fenced')
  await audit(world, open)
  return world
}

/** A last node takes over, and has to find every acknowledged value, each value once. */
async function audit(world: World, open: typeof openLog): Promise<void> {
  const auditor = new LogNode(world, memoryStoreOf(world.objects), 'auditor', { open })
  const found = await auditor.readAll().catch((cause: unknown) => {
    world.faults.push(`the auditor: ${cause instanceof Error ? cause.message : cause}`)
    return [] as string[]
  })
  for (const value of world.acknowledged.keys()) if (!found.includes(value)) world.faults.push(`${value} is lost`)
  if (new Set(found).size !== found.length) world.faults.push(`values are doubled: ${found.join(' ')}`)
}

const faultOf = (world: World): string[] | undefined =>
  world.faults.length === 0 ? undefined : [...world.faults, ...world.did]

/** Tries schedules from seeds, each with few pauses at random places, or with many. */
export async function exploreRandomly(
  scenario: Scenario,
  bounds: Bounds,
  { seed, schedules }: { readonly seed: number; readonly schedules: number },
): Promise<Findings> {
  const states = new Set<bigint>()
  const findings: Findings = { schedules: 0, states: 0, steps: 0, ms: 0, isComplete: false, fault: undefined }
  const startedMs = performance.now()
  for (let each = seed; each < seed + schedules && findings.fault === undefined; each++) {
    const random = new Random(each)
    const pausing = random.pick([0.02, 0.1, 0.3, 0.7])
    const failing = random.pick([0, 0.05, 0.2])
    const world = await runOnce(scenario, bounds, (steps, { situation }, last) => {
      states.add(situation)
      const bad = steps.filter(({ kind }) => kind !== 'do')
      if (bad.length > 0 && random.chance(failing)) return random.pick(bad)
      const good = steps.filter(({ kind }) => kind === 'do')
      const same = good.find(({ of }) => of === last)
      return same !== undefined && !random.chance(pausing) ? same : random.pick(good.length > 0 ? good : steps)
    })
    findings.schedules++
    findings.steps += world.steps
    findings.fault = faultOf(world) && [`seed ${each}`, ...(faultOf(world) ?? [])]
  }
  findings.states = states.size
  findings.ms = performance.now() - startedMs
  return findings
}

/** A schedule to be tried: its first steps; then each node goes on as long as it can. */
interface Branch {
  readonly prefix: readonly Step[]
  readonly pauses: number
}

/**
 * Tries every schedule within the bounds, up to those that pass through a situation that was tried
 * with as little gone wrong. Depth first: a node goes on as long as it can, and every other choice
 * is tried later.
 */
export async function exploreAll(
  scenario: Scenario,
  bounds: Bounds,
  { msMax }: { readonly msMax: number },
): Promise<Findings> {
  const tried = new Set<string>()
  const states = new Set<bigint>()
  const findings: Findings = { schedules: 0, states: 0, steps: 0, ms: 0, isComplete: true, fault: undefined }
  const startedMs = performance.now()
  const branches: Branch[] = [{ prefix: [], pauses: 0 }]
  for (let branch = branches.pop(); branch !== undefined; branch = branches.pop()) {
    if (performance.now() - startedMs > msMax) {
      findings.isComplete = false
      break
    }
    const { prefix, pauses } = branch
    const taken: Step[] = []
    const world = await runOnce(scenario, bounds, (steps, { situation }, last) => {
      states.add(situation)
      const given = prefix[taken.length]
      const step = given ?? steps.find(({ kind, of }) => kind === 'do' && of === last) ?? steps[0]
      if (step === undefined) throw new Error('Nothing can happen')
      if (given === undefined) {
        const wrong = taken.filter(({ kind }) => kind !== 'do' && kind !== 'arrive').length
        for (const other of steps) {
          if (other === step) continue
          const isPause = other.kind === 'do' && steps.some(({ kind, of }) => kind === 'do' && of === last)
          if (pauses + (isPause ? 1 : 0) > bounds.pauses) continue
          const key = `${situation} ${other.kind} ${other.of} ${isPause ? pauses + 1 : pauses} ${wrong} ${last}`
          if (tried.has(key)) continue
          tried.add(key)
          branches.push({ prefix: [...taken, other], pauses: pauses + (isPause ? 1 : 0) })
        }
      }
      taken.push(step)
      return step
    })
    findings.schedules++
    findings.steps += world.steps
    findings.fault = faultOf(world)
    if (findings.fault === undefined) continue
    findings.isComplete = false
    break
  }
  findings.states = states.size
  findings.ms = performance.now() - startedMs
  return findings
}
