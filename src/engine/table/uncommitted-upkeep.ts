import { storageLimits } from '../../lib/limits/storage.ts'
import { fileNameOf } from '../data-files/file-scan.ts'
import { commitInfo } from '../delta/actions.ts'
import { removeAction } from '../delta/delta-log.ts'
import type { FileWriteContext } from './file-write-context.ts'
import type { KeptFile, TableStorage } from './table-storage.ts'
import { Upkeep } from './upkeep.ts'

/**
 * Removes files that a storage keeps and no commit names, since the process that sent them ended
 * before it committed them. A commit says that they are removed, before they are: a process that is
 * about to commit one of them after all loses the race, and is told. See
 * docs/decisions/293-how-long-unnamed-objects-stay.md.
 */
export class UncommittedUpkeep extends Upkeep {
  readonly what = 'removing files that were never committed'
  protected readonly isDue = true
  private readonly storage: TableStorage

  constructor(context: FileWriteContext, storage: TableStorage) {
    super(context, { firstMs: storageLimits.uncommittedFirstCheckMs, pauseMs: storageLimits.uncommittedCheckMs })
    this.storage = storage
  }

  protected async work(): Promise<void> {
    const known = this.named
    const found = await this.storage.findOld((fileName) => known.has(fileName))
    if (found.length === 0) return
    const { commits, layers, clock, log } = this.context
    const { table, files } = layers
    const nowMs = clock.nowMs()
    let removed: readonly KeptFile[] = []
    await commits.commit({
      // Others may have committed some of them since they were found.
      plan: async () => {
        const { named } = this
        removed = found.filter(({ fileName }) => !named.has(fileName))
        return removed.length === 0 || this.isClosed ? undefined : { removed: [], added: [] }
      },
      actions: () => [
        commitInfo('REMOVE UNCOMMITTED', {}, nowMs),
        ...removed.map(({ fileName, bytes }) =>
          removeAction({ path: fileName, partitionValues: {}, size: bytes }, nowMs, { dataChange: false }),
        ),
      ],
      publish: async () => {
        for (const { fileName } of removed) files.retirePrevious(fileName, nowMs, clock.nowMs())
        const names = removed.map(({ fileName }) => fileName)
        log.info({ table: table.name, files: names }, 'removing data files that were sent, but never committed')
      },
    })
  }

  /** Files that the last commit names, or that it says are removed. */
  private get named(): ReadonlySet<string> {
    return new Set([...this.context.commits.deltaLog.state.paths].map(fileNameOf))
  }
}
