import type { Writer } from '../../runtime/duck/writer.ts'
import { putIfAbsent } from '../../runtime/platform/files/durable-files.ts'
import type { Action } from './actions.ts'
import { commitText } from './commit-file.ts'
import { type DeltaState, readDeltaState } from './delta-state.ts'

/** How the files of a Delta log get beyond the folder in which they are read. */
export interface DeltaFiles {
  /**
   * The state in the folder, which belongs to the caller.
   *
   * @throws like `readDeltaState`
   */
  read(writer: Writer, folder: string): Promise<DeltaState>
  /**
   * Keeps data files that the next commit will name, by their paths in it. This may take long, and
   * others may commit meanwhile.
   */
  keepData(paths: readonly string[]): Promise<void>
  /**
   * Adds a commit, durably. It is in the folder then.
   *
   * @returns false if another one was first; then that is in the folder
   */
  commit(file: string, actions: readonly Action[]): Promise<boolean>
  /** Brings commits of others into the folder, if there may be any. */
  refresh(): Promise<void>
  /** Names of all files that are kept, and when each was written, if that is known. */
  times(): Promise<ReadonlyMap<string, number | undefined>>
  /** Keeps files that have been written into the folder, in this order. */
  put(names: readonly string[]): Promise<void>
  /** Forgets files that have been removed from the folder. */
  remove(names: readonly string[]): Promise<void>
}

/** A Delta log whose folder is all there is of it. */
export const deltaFilesOfFolder: DeltaFiles = {
  read: readDeltaState,
  keepData: async () => {},
  commit: (file, actions) => putIfAbsent(file, commitText(actions)),
  refresh: async () => {},
  times: async () => new Map(),
  put: async () => {},
  remove: async () => {},
}
