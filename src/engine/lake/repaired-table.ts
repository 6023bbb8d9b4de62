import type { ObjectStore } from '../../runtime/objects/object-store.ts'
import { putOwn } from '../../runtime/objects/put-own.ts'
import { writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { baseName, joinPath } from '../../runtime/platform/files/paths.ts'
import { fileNameOf } from '../data-files/file-scan.ts'
import { commitText } from '../delta/commit-file.ts'
import { deltaFilesOfFolder } from '../delta/delta-files.ts'
import { noKeeper, TableLayout } from '../layout.ts'
import type { RepairedTable } from '../repair/repair-table.ts'
import { deltaFolder } from './cached-delta-log.ts'
import { CachedFolder } from './cached-folder.ts'

/**
 * A table of a lake that has been brought into a folder, and is repaired there. What a commit names
 * is in the store before the commit is. A replaced file stays: the next node finds it in the Delta
 * log.
 */
export function repairedTable(store: ObjectStore, dataFolder: string, name: string): RepairedTable {
  const objectsOf = (fileName: string) => [indexOf(fileName), fileName]
  const indexOf = (fileName: string) => joinPath('_filters', baseName(layout.index(fileName)))
  const forget = async (fileName: string) => void (await objects.remove(objectsOf(fileName)))
  const layout = new TableLayout(dataFolder, name, { ...noKeeper, forget })
  const objects = new CachedFolder({ store, prefix: `tables/${name}/`, folder: layout.folder })
  return {
    layout,
    delta: {
      ...deltaFilesOfFolder,
      keepData: async (paths) => {
        for (const path of paths) for (const object of objectsOf(fileNameOf(path))) await objects.put(object)
      },
      commit: async (file, actions) => {
        const bytes = new TextEncoder().encode(commitText(actions))
        const object = objects.objectOf(joinPath(deltaFolder, baseName(file)))
        const { isOurs } = await putOwn(store, object, bytes, { when: { ifAbsent: true } })
        if (isOurs) await writeFileDurably(file, bytes)
        return isOurs
      },
    },
    forgetIndex: async (fileName) => {
      const failure = await objects.remove([indexOf(fileName)])
      if (failure !== undefined) throw failure
    },
    keepDamaged: (fileName) => objects.put(joinPath('_quarantine', fileName)),
  }
}
