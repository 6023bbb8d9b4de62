import type { FencedLog } from '../../../src/engine/lake/fenced-log.ts'
import { type openLog, prepareLog } from '../../../src/engine/lake/open-log.ts'
import type { ObjectStore } from '../../../src/runtime/objects/object-store.ts'
import { RetryingStore } from '../../../src/runtime/objects/retrying-store.ts'
import { type FlushMutation, SimulatedTable } from './simulated-table.ts'
import type { World } from './world.ts'

/** One word for each thing that a node does after it has opened the log. */
export type Program = readonly ('append' | 'flush')[]

/** What a node runs. */
export interface LogCode {
  readonly open: typeof openLog
  readonly mutation?: FlushMutation
  /** Whether it reads the log before it takes over, as a standby does. */
  readonly isPrepared?: boolean | undefined
}

/** Time is no part of the check: a pause may be of any length, also of none. */
const pace = { wait: async () => true, random: () => 0 }
const opensMax = 4

const wordsOf = (cause: unknown): string => (cause instanceof Error ? cause.name : String(cause))

/**
 * A node as the engine will be: opens the log, replays it into its memory, appends values, writes
 * its memory to the table with the border, and removes what is in the table from the log.
 */
export class LogNode {
  private readonly world: World
  private readonly name: string
  private readonly store: ObjectStore
  private readonly table: SimulatedTable
  private readonly code: LogCode
  private memory: { value: string; number: number }[] = []
  private nonces = 0
  private values = 0
  /** Whether another node has ended it. */
  wasFenced = false

  constructor(world: World, store: ObjectStore, name: string, code: LogCode) {
    this.world = world
    this.name = name
    this.store = new RetryingStore(store, pace)
    this.table = new SimulatedTable(this.store, this.newNonce, code.mutation)
    this.code = code
  }

  async run(program: Program): Promise<void> {
    try {
      const log = await this.takeOver()
      for (const step of program) {
        if (step === 'append') await this.append(log)
        else await this.flush(log)
      }
      await log.close()
    } catch (cause) {
      if (wordsOf(cause) !== 'Fenced') throw cause
      this.wasFenced = true
    }
  }

  /** Everything that the table and the log have now. */
  async readAll(): Promise<string[]> {
    await this.takeOver()
    return [...(await this.table.values()), ...this.memory.map(({ value }) => value)]
  }

  private readonly newNonce = (): string => `${this.name}-${++this.nonces}`

  private async takeOver(): Promise<FencedLog> {
    let prepared = this.code.isPrepared ? await prepareLog(this.store, 'log', await this.table.border()) : undefined
    const beganAt = this.world.steps
    for (let opens = 1; ; opens++) {
      const log = await this.code.open({
        store: this.store,
        folder: 'log',
        node: this.name,
        readBorder: () => this.table.border(),
        prepared,
        pace,
        newNonce: this.newNonce,
      })
      try {
        this.memory = []
        for await (const { number, bytes } of log.replay())
          this.memory.push({ value: new TextDecoder().decode(bytes), number })
        await this.compare(beganAt)
        return log
      } catch (cause) {
        if (wordsOf(cause) !== 'BorderMoved' || opens === opensMax) throw cause
        prepared = undefined
      }
    }
  }

  /** What was acknowledged before this node took over, it has to see. */
  private async compare(beganAt: number): Promise<void> {
    const seen = new Set([...(await this.table.values()), ...this.memory.map(({ value }) => value)])
    for (const [value, at] of this.world.acknowledged)
      if (at < beganAt && !seen.has(value)) this.world.faults.push(`node ${this.name} does not see ${value}`)
  }

  private async append(log: FencedLog): Promise<void> {
    const value = `${this.name}.${++this.values}`
    const number = await log.append(new TextEncoder().encode(value))
    this.world.acknowledged.set(value, this.world.steps)
    this.memory.push({ value, number })
  }

  private async flush(log: FencedLog): Promise<void> {
    const border = Math.max(0, ...this.memory.map(({ number }) => number))
    if (border === 0) return
    await this.table.flush(
      this.memory.map(({ value }) => value),
      border,
    )
    this.memory = []
    await log.truncate(border)
  }
}
