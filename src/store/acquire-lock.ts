import { DamagedLock, FolderLock } from '../duck/folder-lock.ts'
import { randomHex } from '../platform/crypto.ts'
import { withFileLock } from '../platform/file-lock.ts'
import { removeFile, renameFile } from '../platform/files.ts'
import { lockFile } from './layout.ts'

/** Who mends a lock needs milliseconds; whoever finds another at it waits for longer. */
const lockRepairOptions = { staleAfterMs: 10_000, waitMs: 20_000 }

/**
 * The lock of a data folder, or undefined where another process holds it. A file that is none, as a first start on a full disk leaves it,
 * gives way to a new one, and `onRepaired` hears of it.
 */
export async function acquireLock(
  dataFolder: string,
  onRepaired: (damage: DamagedLock) => void,
): Promise<FolderLock | undefined> {
  const file = lockFile(dataFolder)
  try {
    return await FolderLock.tryAcquire(file)
  } catch (cause) {
    if (!(cause instanceof DamagedLock)) throw cause
    return await withFileLock(`${file}.mending`, lockRepairOptions, () => mend(file, cause, onRepaired))
  }
}

/** One process at a time. Another may have mended it by now. */
async function mend(
  file: string,
  damage: DamagedLock,
  onRepaired: (damage: DamagedLock) => void,
): Promise<FolderLock | undefined> {
  try {
    return await FolderLock.tryAcquire(file)
  } catch (cause) {
    if (!(cause instanceof DamagedLock)) throw cause
  }
  // Made under another name: a lock that is there is always whole, also for whoever looks meanwhile.
  const fresh = `${file}.${randomHex(4)}`
  try {
    const made = await FolderLock.tryAcquire(fresh)
    made?.release()
    await renameFile(fresh, file)
  } catch (cause) {
    await removeFile(fresh).catch(() => {})
    throw cause
  }
  onRepaired(damage)
  return await FolderLock.tryAcquire(file)
}
