import type { FaultyDisk } from './faulty-disk.ts'
import { type FileHooks, installed } from './hooks.ts'

const disks = new Set<FaultyDisk>()

const diskOf = (path: string): FaultyDisk | undefined => {
  for (const disk of disks) if (path === disk.root || path.startsWith(`${disk.root}/`)) return disk
  return undefined
}

/** Passes each operation to the disk that it is on. */
const hooks: FileHooks = {
  before: (step) => diskOf(step.path)?.before(step) ?? { does: 'pass' },
  done: (change) => diskOf(change.path)?.done(change),
}

/** Puts a disk under its folder. `install-program.ts` must have been loaded before the program. */
export function mount(disk: FaultyDisk): void {
  installed.hooks = hooks
  disks.add(disk)
}

export function unmountAll(): void {
  disks.clear()
  installed.hooks = undefined
}
