import process from 'node:process'

export interface ProcessStats {
  readonly residentBytes: number
  readonly heapUsedBytes: number
  readonly cpuSeconds: number
  readonly startedAtSeconds: number
}

/** Current resource usage of the process. */
export function processStats(): ProcessStats {
  const { rss, heapUsed } = process.memoryUsage()
  return {
    residentBytes: rss,
    heapUsedBytes: heapUsed,
    cpuSeconds: cpuSeconds(),
    startedAtSeconds: Date.now() / 1000 - process.uptime(),
  }
}

/** Processor time since the start of the process, in user and system mode. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** The runtime and its version: `bun 1.4.5`. */
export function runtimeName(): string {
  const { deno, bun, node }: Partial<typeof process.versions> = process.versions
  if (deno !== undefined) return `deno ${deno}`
  return bun === undefined ? `node ${node}` : `bun ${bun}`
}
