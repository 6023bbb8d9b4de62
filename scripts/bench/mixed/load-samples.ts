import type { BenchServer } from '../bench-server.ts'

/** What the server holds at one moment. */
export interface LoadSample {
  readonly atSeconds: number
  readonly memoryBytes: number
  readonly cpuSeconds: number
  readonly queriesWaiting: number
  readonly memtableRows: number
  readonly unflushedSeconds: number
  readonly files: number
}

/** Looks at the server every few seconds until the work is over. */
export async function sampleLoad(server: BenchServer, everyMs: number, isOver: () => boolean): Promise<LoadSample[]> {
  const samples: LoadSample[] = []
  const startMs = performance.now()
  do {
    const [{ rssBytes, cpuSeconds }, metrics] = await Promise.all([server.stats(), metricsOf(server)])
    samples.push({
      atSeconds: (performance.now() - startMs) / 1000,
      memoryBytes: rssBytes,
      cpuSeconds,
      queriesWaiting: metrics('tracelake_queries_waiting'),
      memtableRows: metrics('tracelake_memtable_rows'),
      unflushedSeconds: metrics('tracelake_unflushed_age_seconds'),
      files: metrics('tracelake_files'),
    })
    await Bun.sleep(everyMs)
  } while (!isOver())
  return samples
}

/** The metrics of a server: the sum of those of a name over all their labels. */
async function metricsOf({ url, key }: BenchServer): Promise<(name: string) => number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } })
  const lines = (await response.text()).split('\n')
  return (name) => {
    const values = lines.filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    if (values.length === 0) throw new Error(`Read the metrics: there is no ${name}`)
    return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
  }
}
