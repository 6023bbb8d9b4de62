import type { BenchServer } from '../bench-server.ts'
import type { Figure } from '../benchmark.ts'

/** The state of the server and of its clients at one moment. */
export interface LoadSample {
  readonly atSeconds: number
  readonly memoryBytes: number
  readonly cpuSeconds: number
  readonly mainThreadSeconds: number
  /** Of this process, which runs the clients. */
  readonly clientCpuSeconds: number
  readonly queriesWaiting: number
  readonly memtableRows: number
  readonly unflushedSeconds: number
  readonly files: number
  readonly flushes: number
  readonly compactions: number
  /** Exports that were due and not answered. */
  readonly exportsLate: number
}

interface Sampling {
  readonly everyMs: number
  readonly isOver: () => boolean
  readonly exportsLate: () => number
  /** Called once a minute with the samples of that minute. */
  readonly eachMinute: (samples: readonly LoadSample[]) => void
}

/** Looks at the server every few seconds until the work is over. */
export async function sampleLoad(server: BenchServer, sampling: Sampling): Promise<LoadSample[]> {
  const { everyMs, isOver, exportsLate, eachMinute } = sampling
  const samples: LoadSample[] = []
  const startMs = performance.now()
  let minute = 1
  let first = 0
  do {
    const [stats, metrics] = await Promise.all([server.stats(), metricsOf(server)])
    const { user, system } = process.cpuUsage()
    samples.push({
      atSeconds: (performance.now() - startMs) / 1000,
      memoryBytes: stats.rssBytes,
      cpuSeconds: stats.cpuSeconds,
      mainThreadSeconds: stats.mainThreadSeconds,
      clientCpuSeconds: (user + system) / 1e6,
      queriesWaiting: metrics('tracelake_queries_waiting'),
      memtableRows: metrics('tracelake_memtable_rows'),
      unflushedSeconds: metrics('tracelake_unflushed_age_seconds'),
      files: metrics('tracelake_files'),
      flushes: metrics('tracelake_flushes_total'),
      compactions: metrics('tracelake_compactions_total'),
      exportsLate: exportsLate(),
    })
    if (performance.now() - startMs >= minute * 60_000) {
      eachMinute(samples.slice(first))
      first = samples.length - 1
      minute++
    }
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

/** What some consecutive samples say together; undefined if there are none. */
function summaryOf(samples: readonly LoadSample[]) {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const most = (of: (sample: LoadSample) => number) => samples.reduce((max, sample) => Math.max(max, of(sample)), 0)
  const perSecond = (of: (sample: LoadSample) => number) =>
    (of(last) - of(first)) / Math.max(0.001, last.atSeconds - first.atSeconds)
  return {
    meanMemoryMB: samples.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0) / samples.length / 1e6,
    memoryMB: most(({ memoryBytes }) => memoryBytes) / 1e6,
    processors: perSecond(({ cpuSeconds }) => cpuSeconds),
    mainThread: perSecond(({ mainThreadSeconds }) => mainThreadSeconds),
    clients: perSecond(({ clientCpuSeconds }) => clientCpuSeconds),
    queriesWaiting: most(({ queriesWaiting }) => queriesWaiting),
    exportsLate: most(({ exportsLate }) => exportsLate),
    rowsInMemory: most(({ memtableRows }) => memtableRows),
    unflushedSeconds: most(({ unflushedSeconds }) => unflushedSeconds),
    files: most(({ files }) => files),
    flushes: last.flushes - first.flushes,
    compactions: last.compactions - first.compactions,
  }
}

/** The same in one line. */
export function summaryLine(samples: readonly LoadSample[]): string {
  const summary = summaryOf(samples)
  if (summary === undefined) return 'no samples'
  const { rowsInMemory, memoryMB, processors, mainThread, clients } = summary
  return [
    `${rowsInMemory.toLocaleString('en-US')} rows in memory`,
    `${memoryMB.toFixed(0)} MB`,
    `oldest unflushed row or waiting deletion ${summary.unflushedSeconds.toFixed(0)} s`,
    `exports late ${summary.exportsLate}`,
    `queries waiting ${summary.queriesWaiting}`,
    `files ${summary.files}`,
    `flushes ${summary.flushes}`,
    `compactions ${summary.compactions}`,
    `processors ${processors.toFixed(2)} (main thread ${mainThread.toFixed(2)}), clients ${clients.toFixed(2)}`,
  ].join(', ')
}

/** The state of the server in each of some parts of the run, which lasted for so many seconds. */
export function sampleFigures(samples: readonly LoadSample[], seconds: number, parts: number): Figure[] {
  const partOf = ({ atSeconds }: LoadSample) => Math.min(parts - 1, Math.floor((atSeconds / seconds) * parts))
  return Array.from({ length: parts }, (_, part): Figure[] => {
    const summary = summaryOf(samples.filter((sample) => partOf(sample) === part))
    if (summary === undefined) return []
    const variant = `part ${part + 1} of ${parts}`
    return [
      { variant, measure: 'memory, mean', value: summary.meanMemoryMB, unit: 'MB' },
      { variant, measure: 'memory, highest', value: summary.memoryMB, unit: 'MB' },
      { variant, measure: 'processors in use', value: summary.processors, unit: '' },
      { variant, measure: 'processors in use by the main thread', value: summary.mainThread, unit: '' },
      { variant, measure: 'processors in use by the clients', value: summary.clients, unit: '' },
      { variant, measure: 'queries waiting, at most', value: summary.queriesWaiting, unit: '' },
      { variant, measure: 'exports late, at most', value: summary.exportsLate, unit: '' },
      { variant, measure: 'rows in memory, at most', value: summary.rowsInMemory, unit: '' },
      {
        variant,
        measure: 'oldest unflushed row or waiting deletion, at most',
        value: summary.unflushedSeconds,
        unit: 's',
      },
      { variant, measure: 'data files, at most', value: summary.files, unit: '' },
      { variant, measure: 'flushes', value: summary.flushes, unit: '' },
      { variant, measure: 'compactions', value: summary.compactions, unit: '' },
    ]
  }).flat()
}
