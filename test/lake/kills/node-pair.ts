import { appendFile, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { Client } from '../../conformance/support/client.ts'
import { removeFolder } from '../../conformance/support/temp-folder.ts'
import { until } from '../../conformance/support/until.ts'
import { ServerChild } from '../../crash/server-child.ts'
import type { Random } from '../../store/random.ts'

const restartMsMax = 1_000
/** On a busy machine, a node that serves may take long to say so. */
const answerMs = 10_000
const emptyCacheChance = 0.5

export const adminKey = 'l'.repeat(40)

/** A node that a supervisor starts again whenever it has exited. */
export class SupervisedNode {
  readonly client: Client
  private readonly name: string
  private readonly folder: string
  private readonly env: Readonly<Record<string, string>>
  private readonly random: Random
  private readonly note: (line: string) => void
  private child: ServerChild | undefined
  private data: string | undefined
  private isClosed = false
  private isEndExpected = false
  private running: Promise<void> = Promise.resolve()
  /** How often it was started. */
  lives = 0

  constructor(folder: string, env: Readonly<Record<string, string>>, random: Random, note: (line: string) => void) {
    this.folder = folder
    this.random = random
    this.note = note
    const port = freePort()
    this.name = `node-${port}`
    this.client = new Client(`http://127.0.0.1:${port}`, adminKey)
    this.env = { ...env, TRACELAKE_PORT: String(port), TRACELAKE_GRPC_PORT: 'off' }
  }

  start(): void {
    this.running = this.supervise()
  }

  /** `serving`, `standby`, `opening`, `left`, or `gone` if it does not answer. */
  async standing(): Promise<string> {
    const answer = await Promise.race([
      this.client.get<{ status?: string } | undefined>('/health').catch(() => undefined),
      Bun.sleep(answerMs).then(() => undefined),
    ])
    if (answer === undefined) return 'gone'
    return answer.status === 200 ? 'serving' : (answer.json?.status ?? 'away')
  }

  /** Kills it; the supervisor starts it again after a moment. */
  kill(): void {
    this.signal('SIGKILL')
  }

  /** Stops it gracefully; the supervisor starts it again after a moment. */
  stop(): void {
    this.signal('SIGTERM')
  }

  pause(): void {
    if (this.child !== undefined) process.kill(this.child.pid, 'SIGSTOP')
  }

  resume(): void {
    if (this.child !== undefined) process.kill(this.child.pid, 'SIGCONT')
  }

  /** Waits until the life that is `life` now has ended and the next one has begun. */
  async replaced(life: number): Promise<void> {
    await until(() => this.lives > life)
  }

  /** Stops it for good. @returns its exit code */
  async close(): Promise<number | undefined> {
    this.isClosed = true
    this.isEndExpected = true
    const code = await this.child?.stop()
    await this.running
    return code
  }

  private signal(name: 'SIGKILL' | 'SIGTERM'): void {
    this.isEndExpected = true
    if (this.child !== undefined) process.kill(this.child.pid, name)
  }

  private async supervise(): Promise<void> {
    while (!this.isClosed) {
      if (this.data !== undefined && this.random.chance(emptyCacheChance)) {
        await removeFolder(this.data)
        this.data = undefined
      }
      this.data ??= await mkdtemp(join(this.folder, 'cache-'))
      this.isEndExpected = false
      this.child = new ServerChild({ kind: 'plain', data: this.data, adminKey, env: this.env })
      this.lives++
      const code = await this.child.exited
      const log = await this.child.kill()
      this.child = undefined
      await appendFile(join(this.folder, `${this.name}.log`), log)
      this.report(code, log)
      if (!this.isClosed) await Bun.sleep(this.random.below(restartMsMax))
    }
  }

  /** A node may exit by itself only because another one has taken the lake over. */
  private report(code: number, log: string): void {
    const isReplaced = code === 1 && log.includes('another node has taken the lake over')
    const errors = log.split('\n').filter((line) => line.includes('"level":"error"') || /damaged|panic/.test(line))
    for (const line of errors) this.note(line)
    if (!this.isEndExpected && !isReplaced) this.note(`a node exited by itself with ${code}: ${log.slice(-2_000)}`)
  }
}

/** Two nodes of one lake. */
export class NodePair {
  readonly nodes: readonly [SupervisedNode, SupervisedNode]

  constructor(make: () => SupervisedNode) {
    this.nodes = [make(), make()]
    for (const node of this.nodes) node.start()
  }

  get addresses(): readonly string[] {
    return this.nodes.map(({ client }) => client.address)
  }

  /** Waits until one node serves and the other one stands by. */
  async settled(): Promise<{ owner: SupervisedNode; standby: SupervisedNode }> {
    const [first, second] = this.nodes
    for (;;) {
      const [one, other] = await Promise.all([first.standing(), second.standing()])
      if (one === 'serving' && other === 'standby') return { owner: first, standby: second }
      if (one === 'standby' && other === 'serving') return { owner: second, standby: first }
      await Bun.sleep(50)
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()))
  }
}

function freePort(): number {
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = server
  server.stop()
  return port
}
