import type { BenchRun } from '../bench-run.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { loadAverages } from '../machine.ts'
import { Attacker } from './attacker.ts'
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
    for (const attack of attacks) {
      if (only !== undefined && !attack.name.includes(only)) continue
      bench.note(`${attack.name} (load ${loadAverages()})`)
      if (bench.checkoutBefore !== undefined) {
        const { waitSeconds, megabytes } = await runAttack(bench, attack, bench.checkoutBefore)
        figures.push({ variant: attack.name, measure: 'longest wait before', value: waitSeconds, unit: 's' })
        figures.push({ variant: attack.name, measure: 'peak memory before', value: megabytes, unit: 'MB' })
      }
      const { quietSeconds, waitSeconds, megabytes } = await runAttack(bench, attack)
      figures.push({ variant: attack.name, measure: 'longest wait without it', value: quietSeconds, unit: 's' })
      const [wait, memory] = [{ max: waitSecondsMax }, { max: memoryMegabytesMax }]
      figures.push({ variant: attack.name, measure: 'longest wait', value: waitSeconds, unit: 's', target: wait })
      figures.push({ variant: attack.name, measure: 'peak memory', value: megabytes, unit: 'MB', target: memory })
    }
    return figures
  },
}

async function runAttack(bench: BenchRun, attack: Attack, checkout?: string) {
  const data = bench.newFolder('hostile')
  const server = await bench.startServer(data, checkout)
  try {
    const keys = {
      write: await server.createKey(data, 'write', 'mallory/own'),
      read: await server.createKey(data, 'read', 'mallory/read'),
    }
    const patience = AbortSignal.timeout(patienceMs)
    const attacker = new Attacker(server, keys, patience)
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
  } finally {
    // A hanging request would never stop.
    await server.kill()
    await bench.removeFolder(data)
  }
}
