import { removeFile } from '../../platform/files.ts'
import type { DeltaLog } from '../delta/delta-log.ts'
import type { TableLayout } from '../layout.ts'
import type { Segment } from '../segment/segment.ts'

/**
 * Removes files that were written for a commit which failed, so that a disk which fails over and over does not fill up with them. A commit that
 * may be there all the same names them, and then they stay for the next start to judge. What cannot be removed stays for it too.
 */
export async function removeUncommitted(
  layout: TableLayout,
  deltaLog: DeltaLog,
  files: readonly Segment[],
): Promise<void> {
  if (files.length === 0 || !(await deltaLog.isSurelyWithoutFailed().catch(() => false))) return
  for (const { fileName } of files)
    for (const file of [layout.parquet(fileName), layout.filter(fileName), layout.keys(fileName)])
      await removeFile(file).catch(() => {})
}
