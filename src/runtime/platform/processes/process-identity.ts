import { findText } from '../files/files.ts'
import { processId } from '../runtime.ts'

/** Distinguishes a process from others with the same pid at another time. */
export interface ProcessIdentity {
  readonly pid: number
  /** Ids of the system boot and of the process start after it, on Linux; missing elsewhere. */
  readonly boot_id?: string
  readonly start_ticks?: string
}

export const ownIdentity = (): Promise<ProcessIdentity> => identityOf(processId())

/**
 * Whether the given process is running, and is not this one. False if the system cannot determine
 * it.
 */
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

/** The process may end in the meantime. */
async function findStatus(pid: number): Promise<string | undefined> {
  try {
    return await findText(`/proc/${pid}/stat`)
  } catch {
    return undefined
  }
}

/**
 * Field 22 of proc_pid_stat(5), counted from the end of the second, the name in parentheses, which
 * may contain anything. A zombie holds no files.
 */
function startOf(status: string | undefined): string | undefined {
  const fields = status?.slice(status.lastIndexOf(')') + 2).split(' ')
  return fields === undefined || fields[0] === 'Z' ? undefined : fields[19]
}
