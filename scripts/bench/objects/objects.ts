import { SeededRandom } from '../../../src/demo/traces/seeded-random.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { sendAll } from '../http/load.ts'
import { postRequest, type Target } from '../http/requests.ts'
import { project } from '../payload/calls.ts'
import { percentile } from '../percentile.ts'

/** Versions of prompts, created one by one and then read by digest, number and alias. */
export const objects: Benchmark = {
  name: 'objects',
  description:
    'POST /obj/create of 1 KB versions, 20 to an object, then POST /obj/read of random ones: half of them by number, half as the latest. ' +
    'Every version is synced before it is answered.',
  run: async (bench) => {
    const versions = bench.size(2_000, 60)
    const reads = bench.size(1_000, 50)
    await using server = await bench.startServer(bench.newFolder('objects'))
    const figures: Figure[] = []
    for (const connections of [1, 4]) {
      const variant = `${connections} connection${connections === 1 ? '' : 's'}`
      bench.note(`making ${versions} versions over ${variant}`)
      const made = await sendAll(server.url, createRequests(server, versions, connections), connections)
      bench.note(`reading ${reads} versions over ${variant}`)
      const read = await sendAll(server.url, readRequests(server, versions, reads, connections), connections)
      for (const [what, { latenciesMs, seconds }] of [
        ['obj/create', made],
        ['obj/read', read],
      ] as const) {
        figures.push(
          { variant, measure: `${what} p50`, value: percentile(latenciesMs, 0.5), unit: 'ms' },
          { variant, measure: `${what} p99`, value: percentile(latenciesMs, 0.99), unit: 'ms' },
          { variant, measure: what, value: latenciesMs.length / seconds, unit: '/s' },
        )
      }
    }
    return figures
  },
}

const versionsOfEach = 20
const objectName = (run: number, version: number): string => `prompt-${run}-${Math.floor(version / versionsOfEach)}`

function* createRequests(target: Target, count: number, run: number): Generator<Uint8Array> {
  const random = new SeededRandom(run)
  for (let version = 0; version < count; version++) {
    const words = Array.from({ length: 150 }, () => random.integer(0, 999_999).toString(36))
    const val = { template: words.join(' '), temperature: 0.2, version }
    const obj = { project_id: project, object_id: objectName(run, version), val }
    yield postRequest(target, '/obj/create', JSON.stringify({ obj }))
  }
}

function* readRequests(target: Target, versions: number, count: number, run: number): Generator<Uint8Array> {
  const random = new SeededRandom(run + 100)
  for (let read = 0; read < count; read++) {
    const version = random.integer(0, versions - 1)
    const digest = read % 2 === 0 ? 'latest' : `v${version % versionsOfEach}`
    const body = { project_id: project, object_id: objectName(run, version), digest }
    yield postRequest(target, '/obj/read', JSON.stringify(body))
  }
}
