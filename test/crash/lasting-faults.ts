import { findFolderFaults } from '../store/folder-state.ts'

const attempts = 100
const pauseMs = 100

/**
 * Faults in the folder of a table whose server is running. After it listens, a server still replays
 * a large log, cleans that up, and acts on its own, so only what stays for ten seconds is a fault.
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
