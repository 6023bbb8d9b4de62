import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Benchmark } from '../benchmark.ts'
import type { Target } from '../http/requests.ts'
import { copyOfLargeStore, otherProject } from './large-store.ts'
import { latencyFigures, SteadyClients } from './steady-clients.ts'

const rowsPerFile = 131_072

/** Erases a project that has a tenth of the calls of every file, while others read and write. */
export const largeErase: Benchmark = {
  name: 'large-erase',
  description:
    'Erases a project that owns every tenth of 10 million calls of about 1.1 KB (or `--calls`), so every file is rewritten, while one ' +
    'client of another project reads the newest page and one writes. The store is kept in the temporary folder for later runs.',
  run: async (bench) => {
    const shape = bench.isTiny
      ? { files: 2, rowsPerFile: 500, proseChars: 650, otherProjectEvery: 10 }
      : {
          files: Math.ceil((bench.largeCalls ?? 10_000_000) / rowsPerFile),
          rowsPerFile,
          proseChars: 650,
          otherProjectEvery: 10,
        }
    const data = await copyOfLargeStore(bench, shape)
    const bytesBefore = await dataFileBytes(data)
    await using server = await bench.startServer(data)
    const clients = new SteadyClients(server)
    const before = await clients.during(Bun.sleep(bench.size(20_000, 100)))
    const cpuBefore = (await server.stats()).cpuSeconds
    const startMs = performance.now()
    let rows = 0
    const during = await clients.during(
      eraseProject(server).then((erased) => {
        rows = erased
      }),
    )
    const seconds = (performance.now() - startMs) / 1000
    const cpuSeconds = (await server.stats()).cpuSeconds - cpuBefore
    bench.note(`${rows} rows erased`)
    const after = await dataFileBytes(data)
    await server.stop()
    await bench.removeFolder(data)
    return [
      { variant: 'before', measure: 'data files', value: bytesBefore / 1e6, unit: 'MB' },
      { variant: 'erasing', measure: 'rows', value: rows / seconds, unit: 'rows/s' },
      { variant: 'erasing', measure: 'time', value: seconds, unit: 's' },
      { variant: 'erasing', measure: 'processor time, with that of the clients', value: cpuSeconds, unit: 's' },
      { variant: 'after', measure: 'data files in use', value: after / 1e6, unit: 'MB' },
      ...latencyFigures('before', before),
      ...latencyFigures('erasing', during),
    ]
  },
}

/** @returns the number of rows erased */
async function eraseProject(target: Target): Promise<number> {
  const { id } = await post(target, '/projects/erase')
  for (;;) {
    const { erasures } = await post(target, '/erasures/query')
    const { state, rows, error } = erasures.find((erasure: { id: string }) => erasure.id === id)
    if (state === 'failed') throw new Error(`Erase a project: ${error}`)
    if (state !== 'running') return rows
    await Bun.sleep(100)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of the server measured
async function post({ url, key }: Target, to: string): Promise<any> {
  const response = await fetch(url + to, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ project_id: otherProject }),
  })
  if (!response.ok) throw new Error(`Ask for ${to}: answered ${response.status}: ${await response.text()}`)
  return response.json()
}

/** Bytes of the newest data files that together are the table: old versions do not count. */
async function dataFileBytes(data: string): Promise<number> {
  const folder = path.join(data, 'tables/calls')
  const removed = await removedNames(path.join(folder, '_delta_log'))
  let bytes = 0
  for (const name of await readdir(folder))
    if (name.endsWith('.parquet') && !removed.has(name)) bytes += (await stat(path.join(folder, name))).size
  return bytes
}

/** Names of the files that commits of the Delta log have removed. */
async function removedNames(folder: string): Promise<Set<string>> {
  const removed = new Set<string>()
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.json')) continue
    for (const line of (await Bun.file(path.join(folder, name)).text()).split('\n')) {
      if (line !== '') removed.add((JSON.parse(line) as { remove?: { path: string } }).remove?.path ?? '')
    }
  }
  return removed
}
