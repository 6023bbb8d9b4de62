import { findText } from './files.ts'
import { processId } from './runtime.ts'

/** What tells a process from any other that has had, or will have, its number. */
export interface ProcessIdentity {
  readonly pid: number
  /** Of the system's start, and of the process after it, as Linux counts; missing where the system does not tell. */
  readonly boot_id?: string
  readonly start_ticks?: string
}

export const ownIdentity = (): Promise<ProcessIdentity> => identityOf(processId())

/** Whether another process runs that is the one named. False where the system does not tell processes apart over time. */
export async function isRunningElsewhere(named: Partial<ProcessIdentity>): Promise<boolean> {
  const { pid, boot_id, start_ticks } = named
  if (typeof pid !== 'number' || pid === processId() || boot_id === undefined || start_ticks === undefined) return false
  const found = await identityOf(pid)
  return found.boot_id === boot_id && found.start_ticks === start_ticks
}

async function identityOf(pid: number): Promise<ProcessIdentity> {
  const bootId = (await findText('/proc/sys/kernel/random/boot_id'))?.trim()
  const startTicks = startOf(await findStatus(pid))
  return bootId === undefined || startTicks === undefined ? { pid } : { pid, boot_id: bootId, start_ticks: startTicks }
}

/** A process may end while it is asked about. */
async function findStatus(pid: number): Promise<string | undefined> {
  try {
    return await findText(`/proc/${pid}/stat`)
  } catch {
    return undefined
  }
}

/** Field 22 of proc_pid_stat(5). The second is the name in brackets, which may hold anything. A process that is a zombie holds nothing. */
function startOf(status: string | undefined): string | undefined {
  const fields = status?.slice(status.lastIndexOf(')') + 2).split(' ')
  return fields === undefined || fields[0] === 'Z' ? undefined : fields[19]
}
