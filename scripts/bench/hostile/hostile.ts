import type { BenchRun } from '../bench-run.ts'
import type { BenchServer } from '../bench-server.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { loadAverages } from '../machine.ts'
import { Attacker, type AttackerKeys } from './attacker.ts'
import { type Attack, attacks } from './attacks.ts'
import { OtherClient } from './other-client.ts'

/** Longer waits count as endless. */
const patienceMs = 120_000
const waitSecondsMax = 0.5
const memoryMegabytesMax = 1.5 * 1024 * 1.048576

/** What a client with a key can do to all others. */
export const hostile: Benchmark = {
  name: 'hostile',
  description:
    'Each request of somebody with a key of one project, at a server of its own, while another client reads one call over and over. Waits of two ' +
    'minutes were given up. With --before FOLDER the same at another checkout.',
  run: async (bench) => {
    const figures: Figure[] = []
    const only = process.env['BENCH_ATTACK']
    // Tiny runs measure nothing, so all attacks can have the same server.
    await using shared = bench.isTiny ? await Stage.build(bench) : undefined
    const runOn = async (attack: Attack, checkout?: string) => {
      if (shared !== undefined) return await runAttack(bench, attack, shared)
      await using own = await Stage.build(bench, checkout)
      return await runAttack(bench, attack, own)
    }
    for (const attack of attacks) {
      if (only !== undefined && !attack.name.includes(only)) continue
      bench.note(`${attack.name} (load ${loadAverages()})`)
      if (bench.checkoutBefore !== undefined) {
        const { waitSeconds, megabytes } = await runOn(attack, bench.checkoutBefore)
        figures.push({ variant: attack.name, measure: 'longest wait before', value: waitSeconds, unit: 's' })
        figures.push({ variant: attack.name, measure: 'peak memory before', value: megabytes, unit: 'MB' })
      }
      const { quietSeconds, waitSeconds, megabytes } = await runOn(attack)
      figures.push({ variant: attack.name, measure: 'longest wait without it', value: quietSeconds, unit: 's' })
      const [wait, memory] = [{ max: waitSecondsMax }, { max: memoryMegabytesMax }]
      figures.push({ variant: attack.name, measure: 'longest wait', value: waitSeconds, unit: 's', target: wait })
      figures.push({ variant: attack.name, measure: 'peak memory', value: megabytes, unit: 'MB', target: memory })
    }
    return figures
  },
}

/** A server and the keys of the attacker. */
class Stage implements AsyncDisposable {
  readonly server: BenchServer
  readonly keys: AttackerKeys
  private readonly remove: () => Promise<void>

  private constructor(server: BenchServer, keys: AttackerKeys, remove: () => Promise<void>) {
    this.server = server
    this.keys = keys
    this.remove = remove
  }

  static async build(bench: BenchRun, checkout?: string): Promise<Stage> {
    const data = bench.newFolder('hostile')
    const server = await bench.startServer(data, checkout)
    const keys = {
      write: await server.createKey(data, 'write', 'mallory/own'),
      read: await server.createKey(data, 'read', 'mallory/read'),
    }
    return new Stage(server, keys, () => bench.removeFolder(data))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A hanging request would never stop.
    await this.server.kill()
    await this.remove()
  }
}

async function runAttack(bench: BenchRun, attack: Attack, { server, keys }: Stage) {
  const attacker = new Attacker(server, keys, AbortSignal.timeout(patienceMs))
  const body = JSON.stringify({ project_id: 'alice/bot', id: 'none' })
  const whileOtherAsks = async (work: () => Promise<unknown>): Promise<number> => {
    const other = new OtherClient({ url: server.url, key: server.key, body, timeoutMs: patienceMs })
    await other.begin()
    await work()
    return await other.stop()
  }
  const quietMs = await whileOtherAsks(() => Bun.sleep(bench.isTiny ? 10 : 3_000))
  const longestMs = await whileOtherAsks(async () => {
    await attack.run(attacker, bench.isTiny ? 0.002 : 1)
    await Bun.sleep(bench.isTiny ? 10 : 1_000)
  })
  const { rssBytesMax } = await server.stats()
  return { quietSeconds: quietMs / 1000, waitSeconds: longestMs / 1000, megabytes: rssBytesMax / 1e6 }
}
