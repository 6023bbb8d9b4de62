import { ObjectStoreError } from '../../../src/runtime/objects/object-store.ts'
import { SimulatedObjects, SimulatedStore, type StoreOperation } from '../simulated-store.ts'

/** A request that a node has sent, and to which nothing has happened yet. */
interface Request {
  readonly node: number
  readonly operation: StoreOperation
  readonly answer: (result: unknown) => void
  readonly fail: (cause: unknown) => void
}

/**
 * What can happen next. `do`: the oldest request of a node is answered. The faults, of requests
 * that change something: `lose`: it happens, but the node hears nothing; `drop`: it does not
 * happen, and the node hears nothing; `delay`: the node hears nothing, and it happens later
 * (`arrive`). `kill`: a node ends.
 */
export interface Step {
  readonly kind: 'do' | 'lose' | 'drop' | 'delay' | 'arrive' | 'kill'
  /** A node, or the index of a delayed request. */
  readonly of: number
}

/** Nodes and their store. Nothing happens unless `take` says so, and then one thing at a time. */
export class World {
  readonly objects = new SimulatedObjects()
  /** Values whose append was acknowledged, by the number of steps taken then. */
  readonly acknowledged = new Map<string, number>()
  /** What must not have happened. */
  readonly faults: string[] = []
  readonly did: string[] = []
  steps = 0
  private readonly requests: Request[] = []
  private readonly delayed: StoreOperation[] = []
  private readonly killed = new Set<number>()
  private readonly running = new Set<number>()
  /** What each node has seen so far, which decides what it does next. */
  private readonly histories: bigint[] = []

  /** Starts the program of a node, which uses the store it is given. */
  start(program: (store: SimulatedStore, node: number) => Promise<void>): void {
    const node = this.histories.length
    this.histories.push(0n)
    this.running.add(node)
    const store = new SimulatedStore(
      (operation) => new Promise((answer, fail) => void this.requests.push({ node, operation, answer, fail })),
    )
    program(store, node)
      .catch((cause: unknown) => void this.faults.push(`node ${node}: ${cause instanceof Error ? cause.stack : cause}`))
      .finally(() => this.running.delete(node))
  }

  /** The steps that are possible, without faults first. */
  possible({ withFaults, withKills }: { withFaults: boolean; withKills: boolean }): Step[] {
    const oldest = new Map<number, StoreOperation>()
    for (const { node, operation } of this.requests) if (!oldest.has(node)) oldest.set(node, operation)
    const nodes = [...oldest.keys()].sort((a, b) => a - b)
    const changing = nodes.filter((node) => ['put', 'delete'].includes(oldest.get(node)?.kind ?? ''))
    return [
      ...nodes.map((of): Step => ({ kind: 'do', of })),
      ...this.delayed.map((_, of): Step => ({ kind: 'arrive', of })),
      ...(withFaults ? changing.flatMap((of): Step[] => faultKinds.map((kind) => ({ kind, of }))) : []),
      ...(withKills ? changing.map((of): Step => ({ kind: 'kill', of })) : []),
    ]
  }

  /** Lets one thing happen, and the node that hears of it go on to its next request. */
  async take(step: Step): Promise<void> {
    this.steps++
    if (step.kind === 'arrive') {
      const [operation] = this.delayed.splice(step.of, 1)
      if (operation !== undefined) this.perform(operation)
      this.did.push(`delayed ${nameOf(operation)} arrives`)
      return
    }
    const index = this.requests.findIndex(({ node }) => node === step.of)
    const [request] = this.requests.splice(index, 1)
    if (request === undefined) throw new Error(`Node ${step.of} has no request`)
    const { node, operation } = request
    if (step.kind === 'kill') {
      this.killed.add(node)
      this.running.delete(node)
      for (const left of this.requests.filter((each) => each.node === node))
        this.requests.splice(this.requests.indexOf(left), 1)
      this.did.push(`node ${node} is killed before ${nameOf(operation)}`)
      return
    }
    const outcome = step.kind === 'do' || step.kind === 'lose' ? this.perform(operation) : undefined
    if (step.kind === 'delay') this.delayed.push(operation)
    const told = step.kind === 'do' ? outcome : { error: new ObjectStoreError('unreachable', 'No answer') }
    this.did.push(`node ${node}: ${nameOf(operation)}${step.kind === 'do' ? '' : ` (${step.kind})`}: ${describe(told)}`)
    this.histories[node] = Bun.hash.wyhash(`${nameOf(operation)} ${describe(told)}`, this.histories[node])
    if (told !== undefined && 'error' in told) request.fail(told.error)
    else request.answer(told?.result)
    await settled()
  }

  /** Lets programs that were just started come to their first request. */
  settle(): Promise<void> {
    return settled()
  }

  /** Nodes that go on once more, and delayed requests. */
  get isDone(): boolean {
    return this.requests.length === 0 && this.delayed.length === 0
  }

  /** Nodes that wait for something that never comes. */
  get stuck(): readonly number[] {
    return this.isDone ? [...this.running] : []
  }

  /** Equal for situations from which the same can happen. */
  get situation(): bigint {
    let objects = 0n
    for (const [name, { tag }] of this.objects.objects) objects ^= Bun.hash.wyhash(name + tag)
    const delayed = this.delayed.map(nameOf).join()
    return Bun.hash.wyhash(`${objects} ${this.histories.join()} ${delayed} ${[...this.killed].sort().join()}`)
  }

  private perform(operation: StoreOperation): { result: unknown } | { error: unknown } {
    try {
      return { result: this.objects.run(operation) }
    } catch (error) {
      return { error }
    }
  }
}

const faultKinds = ['lose', 'drop', 'delay'] as const

const nameOf = (operation: StoreOperation | undefined): string => {
  if (operation === undefined) return 'nothing'
  return `${operation.kind} ${'name' in operation ? operation.name : `${operation.prefix} after ${operation.after}`}`
}

function describe(told: { result: unknown } | { error: unknown } | undefined): string {
  if (told === undefined) return ''
  if ('error' in told) return told.error instanceof ObjectStoreError ? told.error.kind : String(told.error)
  const { result } = told
  if (Array.isArray(result)) return result.map(({ name, tag }) => `${name}${tag}`).join(' ')
  return typeof result === 'object' && result !== null && 'tag' in result ? String(result.tag) : String(result)
}

/** All promises that can go on have gone on: nothing in a node waits for anything but its store. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
