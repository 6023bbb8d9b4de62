import type { DataFile } from '../../src/engine/data-files/data-file.ts'
import { FileFilter } from '../../src/engine/data-files/file-filter.ts'

let files = 0

interface MadeFile extends Partial<Omit<DataFile, 'add' | 'statistics'>> {
  readonly rows: number
  readonly minValues?: DataFile['statistics']['minValues']
  readonly maxValues?: DataFile['statistics']['maxValues']
  /** When it was written. */
  readonly writtenMs?: number
}

/** A data file that exists only as its description, for decisions that need no more. */
export function madeFile({ rows, minValues = {}, maxValues = {}, writtenMs = 0, ...others }: MadeFile): DataFile {
  return {
    fileName: `part-${++files}`,
    add: { modificationTime: writtenMs } as DataFile['add'],
    rows,
    bytes: rows * 100,
    statistics: { numRecords: rows, minValues, maxValues, nullCount: {} },
    missing: [],
    converted: '',
    deletedRows: '',
    pathColumns: new Map(),
    sharedColumns: new Map(),
    filter: new FileFilter(),
    ...others,
  }
}
