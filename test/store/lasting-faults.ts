import { findFolderFaults } from './folder-state.ts'

const attempts = 300
const pauseMs = 100

/**
 * Faults in the folder of a table whose server or store is running. It may replay a large log,
 * begin a file or write a checkpoint at any time, so only what stays for half a minute is a fault.
 */
export async function findLastingFaults(folder: string, key: readonly [string, string]): Promise<string[]> {
  let faults: string[] = []
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (attempt > 0) await Bun.sleep(pauseMs)
    faults = await findFolderFaults(folder, key).catch((cause: unknown) => [`cannot be read: ${cause}`])
    if (faults.length === 0) return []
  }
  return faults
}
