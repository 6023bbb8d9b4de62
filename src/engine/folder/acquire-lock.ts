import { DamagedLock, FolderLock } from '../../runtime/duck/folder-lock.ts'
import { randomHex } from '../../runtime/platform/crypto.ts'
import { withFileLock } from '../../runtime/platform/files/file-lock.ts'
import { removeFile, renameFile } from '../../runtime/platform/files/files.ts'
import { lockFile } from '../layout.ts'

/** Repairing a lock takes milliseconds; other processes wait longer than that for their turn. */
const lockRepairOptions = { staleAfterMs: 10_000, waitMs: 20_000 }

/**
 * Acquires the lock of a data folder; undefined if another process holds it. A damaged lock file,
 * as left by a first start on a full disk, is replaced, and `onRepaired` is called.
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
    return await withFileLock(`${file}.mending`, lockRepairOptions, () => repairLock(file, cause, onRepaired))
  }
}

/** Runs in one process at a time. Another process may have repaired the lock by now. */
async function repairLock(
  file: string,
  damage: DamagedLock,
  onRepaired: (damage: DamagedLock) => void,
): Promise<FolderLock | undefined> {
  try {
    return await FolderLock.tryAcquire(file)
  } catch (cause) {
    if (!(cause instanceof DamagedLock)) throw cause
  }
  // Created under another name, so that the lock file is complete at any moment.
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
