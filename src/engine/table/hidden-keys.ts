import { BoundedMap } from '../../lib/bounded-map.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { DataFile } from '../data-files/data-file.ts'
import type { RowKey } from '../row-key.ts'

/** Keys of rows, by the file that has them. */
export type KeysByFile = ReadonlyMap<DataFile, readonly RowKey[]>

/** What a reader finds: keys by file, and whether a later reader could not find more. */
export interface FoundKeys {
  readonly keys: KeysByFile
  readonly isFinal: boolean
}

interface LastFound {
  readonly dataFiles: readonly DataFile[]
  readonly id: string
  readonly found: Promise<FoundKeys>
}

/**
 * The keys of the rows of a table's files that memtables hide, as the last reader found them. The
 * next readers need them again, and there may be tens of thousands.
 */
export class HiddenKeys {
  /** Rows by value among them, as `hiddenValues` counts them. */
  readonly counts = new BoundedMap<string, ReadonlyMap<string | null, number>>(storageLimits.hiddenCountsKept)
  private last: LastFound | undefined

  /**
   * The keys by file.
   *
   * @param id of what is hidden; differs whenever other rows are
   */
  async in(dataFiles: readonly DataFile[], id: string, find: () => Promise<FoundKeys>): Promise<KeysByFile> {
    let { last } = this
    let before: FoundKeys | undefined
    for (let isNew = false; last !== undefined; isNew = true) {
      // A failure is of the reader that has looked.
      before = await last.found.catch(() => undefined)
      const isOfThese = last.id === id && last.dataFiles === dataFiles
      if (before !== undefined && isOfThese && (isNew || before.isFinal)) return before.keys
      if (last === this.last) break
      last = this.last
    }
    const found = find().then(({ keys, isFinal }) => ({ keys: keepArrays(keys, before?.keys), isFinal }))
    this.last = { dataFiles, id, found }
    return (await found).keys
  }
}

/** Uses the array of before where it is the same, so that a look tells that nothing has changed. */
function keepArrays(keys: KeysByFile, before: KeysByFile | undefined): KeysByFile {
  if (before === undefined) return keys
  return new Map(
    keys.entries().map(([dataFile, now]) => {
      const then = before.get(dataFile)
      const isSame = then !== undefined && then.length === now.length && now.every((key, at) => key === then[at])
      return [dataFile, isSame ? then : now]
    }),
  )
}
