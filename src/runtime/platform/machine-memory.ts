import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'

/**
 * Bytes of memory that this process may use: those of the machine, or of its container, or of its
 * service, if that is limited to fewer.
 */
export const machineMemoryBytes = (): number => Math.min(totalmem(), controlGroupMemory(readKernelFile) ?? Infinity)

/**
 * The lowest limit of the control groups that this process belongs to, of either version of Linux's
 * interface: cgroups(7), "memory.max" in the kernel's cgroup-v2.rst, "memory.limit_in_bytes" in its
 * cgroup-v1/memory.rst. Undefined if there is none.
 *
 * @param read the text of a file; undefined if it does not exist
 */
export function controlGroupMemory(read: (file: string) => string | undefined): number | undefined {
  let lowest: number | undefined
  for (const line of (read('/proc/self/cgroup') ?? '').split('\n')) {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? []
    if (controllers === undefined || path === undefined) continue
    const isUnified = controllers === ''
    if (!isUnified && !controllers.split(',').includes('memory')) continue
    const mount = isUnified ? '/sys/fs/cgroup' : '/sys/fs/cgroup/memory'
    const files = isUnified ? ['memory.max', 'memory.high'] : ['memory.limit_in_bytes']
    for (const group of groupsAbove(path))
      for (const file of files) {
        const bytes = bytesOf(read(`${mount}${group}/${file}`))
        if (bytes !== undefined && bytes < (lowest ?? Infinity)) lowest = bytes
      }
  }
  return lowest
}

/**
 * A group and those that contain it. In a container, the path is often that of the host, of which
 * only the root is visible: its files are then those of the container.
 */
function groupsAbove(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '')
  return Array.from({ length: names.length + 1 }, (_, above) => names.slice(0, names.length - above)).map((group) =>
    group.map((name) => `/${name}`).join(''),
  )
}

/** A number of bytes; undefined for "max", and for the large number by which version 1 says so. */
function bytesOf(text: string | undefined): number | undefined {
  const bytes = Number(text?.trim() || Number.NaN)
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined
}

function readKernelFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Not on Linux, or not of this version.
    return undefined
  }
}
