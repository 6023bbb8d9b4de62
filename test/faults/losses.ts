import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultsOf } from '../cli/damage.ts'
import { ServerChild } from '../crash/server-child.ts'
import type { Random } from '../store/random.ts'
import { FaultFolder } from './fault-folder.ts'
import type { Operation } from './op-log.ts'
import { Disk } from './power-loss.ts'
import { Expectation, type Step, Writer } from './workload.ts'

export const adminKey = 'f'.repeat(40)
const writers = ['w0', 'w1', 'w2', 'w3']
const loadMs = 5_000
/** A third of the power losses hit this first fraction of the operations. */
const earlyPart = 0.1

/** Counts one check and its faults. */
export type Tally = (what: string, faults: readonly string[]) => void

/**
 * Records one life of a server on a new folder, then simulates power losses at moments of it. What
 * each leaves is served, compared with what was acknowledged by then, and verified.
 */
export async function powerLosses(program: string, random: Random, losses: number, tally: Tally): Promise<void> {
  const { operations, steps } = await recordLife(program, random)
  const moments = Array.from({ length: losses }, (_, index) =>
    index % 3 === 0 ? random.below(operations.length * earlyPart) : random.below(operations.length),
  ).sort((a, b) => a - b)
  console.log(`  ${operations.length} operations of the file system, ${steps.length} requests, ${losses} power losses`)
  const disk = new Disk()
  const expected = new Expectation()
  let done = 0
  for (const moment of moments) {
    for (; done <= moment; done++) {
      const operation = operations[done]!
      disk.apply(operation)
      if (operation.kind === 'mark') takeMark(operation.text, steps, expected)
    }
    tally(`power lost after operation ${moment}`, await checkLoss(disk, expected, random))
  }
}

function takeMark(text: string, steps: readonly Step[], expected: Expectation): void {
  const [what, number] = text.split(' ')
  if (what === 'begun') expected.begun(steps[Number(number)]!)
  if (what === 'acknowledged') expected.acknowledged(steps[Number(number)]!)
}

async function recordLife(program: string, random: Random): Promise<{ operations: Operation[]; steps: Step[] }> {
  await using folder = await FaultFolder.mount(program)
  const steps: Step[] = []
  const numbers = new Map<Step, number>()
  const witness = {
    begun: (step: Step) => {
      numbers.set(step, steps.push(step) - 1)
      folder.mark(`begun ${numbers.get(step)}`)
    },
    acknowledged: (step: Step) => folder.mark(`acknowledged ${numbers.get(step)}`),
  }
  const server = new ServerChild({ kind: 'flushing', data: join(folder.path, 'data'), adminKey })
  try {
    const client = await server.listening()
    server.beginFlushing()
    const loads = writers.map((name) => new Writer(name, random).run(client, witness))
    await Bun.sleep(loadMs)
    await server.kill()
    await Promise.all(loads)
  } finally {
    await server.kill()
  }
  return { operations: await folder.operations(), steps }
}

async function checkLoss(disk: Disk, expected: Expectation, random: Random): Promise<string[]> {
  const parent = mkdtempSync(join(tmpdir(), 'tracelake-loss-'))
  const root = join(parent, 'disk')
  mkdirSync(root)
  disk.loseTo(root, random)
  const data = join(root, 'data')
  const server = new ServerChild({ kind: 'plain', data, adminKey })
  const found: string[] = []
  try {
    found.push(...(await expected.differences(await server.listening(), writers)))
    if ((await server.stop()) !== 0) found.push('the server did not stop well')
    found.push(...(await faultsOf(data)))
  } catch (cause) {
    found.push(cause instanceof Error ? cause.message : String(cause))
  } finally {
    await server.kill()
  }
  if (found.length === 0) rmSync(parent, { recursive: true })
  else found.push(`kept in ${parent}`)
  return found
}
