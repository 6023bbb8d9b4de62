import { readFile } from 'node:fs/promises'

/** System statistics of a running process. Linux only; elsewhere all of them are 0. */
export interface ProcessStats {
  readonly rssBytes: number
  /** Largest resident size so far. */
  readonly rssBytesMax: number
  /** User and system time of all threads. */
  readonly cpuSeconds: number
  /** User and system time of the main thread, which runs JavaScript. */
  readonly mainThreadSeconds: number
}

/**
 * Linux reports CPU time to user space in hundredths of a second, whatever the kernel's clock rate
 * (proc(5)).
 */
const ticksPerSecond = 100

const noStats: ProcessStats = { rssBytes: 0, rssBytesMax: 0, cpuSeconds: 0, mainThreadSeconds: 0 }

export async function processStats(pid: number): Promise<ProcessStats> {
  if (process.platform !== 'linux') return noStats
  const [stat, status, thread] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
    readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8'),
  ])
  // The second field is the program's name in parentheses, which may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const kibibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)
  return {
    rssBytes: kibibytes('VmRSS') * 1024,
    rssBytesMax: kibibytes('VmHWM') * 1024,
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    // In nanoseconds, followed by the time spent waiting.
    mainThreadSeconds: Number(thread.split(' ')[0]) / 1e9,
  }
}
