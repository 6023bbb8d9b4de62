import { readFile } from 'node:fs/promises'

/** System statistics of a running process. Linux only; elsewhere all of them are 0. */
export interface ProcessStats {
  readonly rssBytes: number
  /** Largest resident size so far. */
  readonly rssBytesMax: number
  /** User and system time of all threads. */
  readonly cpuSeconds: number
}

/**
 * Linux reports CPU time to user space in hundredths of a second, whatever the kernel's clock rate
 * (proc(5)).
 */
const ticksPerSecond = 100

export async function processStats(pid: number): Promise<ProcessStats> {
  if (process.platform !== 'linux') return { rssBytes: 0, rssBytesMax: 0, cpuSeconds: 0 }
  const [stat, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
  ])
  // The second field is the program's name in parentheses, which may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const kibibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)
  return {
    rssBytes: kibibytes('VmRSS') * 1024,
    rssBytesMax: kibibytes('VmHWM') * 1024,
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
  }
}
