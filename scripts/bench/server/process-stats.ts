import { readFile } from 'node:fs/promises'

/** What the system knows about a running process. Linux only; elsewhere all figures are 0. */
export interface ProcessStats {
  readonly rssBytes: number
  /** Largest resident size so far. */
  readonly rssBytesMax: number
  /** User and system time of all threads. */
  readonly cpuSeconds: number
}

/** Linux counts CPU time in hundredths of a second for user space, whatever the kernel's own clock (proc(5)). */
const ticksPerSecond = 100

export async function processStats(pid: number): Promise<ProcessStats> {
  if (process.platform !== 'linux') return { rssBytes: 0, rssBytesMax: 0, cpuSeconds: 0 }
  const [stat, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
  ])
  // The second field is the program's name in parentheses, which may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const kibibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)
  return {
    rssBytes: kibibytes('VmRSS') * 1024,
    rssBytesMax: kibibytes('VmHWM') * 1024,
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
  }
}
