import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Disk } from '../../faults/power-loss.ts'
import type { Random } from '../../store/random.ts'
import { contentsOf } from './hooked-handle.ts'
import type { Change } from './hooks.ts'

/** Keeps what a folder would be after a power loss, from the changes that a program makes to it. */
export class Recorder {
  private readonly root: string
  private readonly disk: Disk
  /** Numbers of files and folders by path; 1 is the root. */
  private readonly numbers: Map<string, number>
  private next = 2

  /** @param root a folder whose contents are on the disk */
  constructor(root: string, blockBytes: number) {
    this.root = root
    this.disk = new Disk(blockBytes)
    this.numbers = new Map([[root, 1]])
    this.adopt(root)
  }

  take(change: Change): void {
    switch (change.kind) {
      case 'created':
        if (!this.numbers.has(change.path)) this.make(change.path, change.isFolder)
        return
      case 'linked': {
        const file = this.known(change.path)
        const folder = this.known(dirname(change.to))
        if (file === undefined || folder === undefined) return
        this.numbers.set(change.to, file)
        this.disk.apply({ kind: 'made', folder, file, isFolder: false, name: basename(change.to) })
        return
      }
      case 'renamed':
        this.rename(change.path, change.to)
        return
      case 'removed': {
        const folder = this.numbers.get(dirname(change.path))
        if (folder !== undefined && this.numbers.has(change.path))
          this.disk.apply({ kind: 'gone', folder, name: basename(change.path) })
        for (const path of this.below(change.path)) this.numbers.delete(path)
        return
      }
      case 'written': {
        const file = this.numbers.get(change.path)
        if (file !== undefined) this.disk.apply({ kind: 'written', file, at: change.at, bytes: change.bytes })
        return
      }
      case 'cut': {
        const file = this.known(change.path)
        if (file !== undefined) this.disk.apply({ kind: 'cut', file, size: change.size })
        return
      }
      case 'synced': {
        const file = this.known(change.path)
        if (file === undefined) return
        const isFolder = statSync(change.path).isDirectory()
        this.disk.apply(isFolder ? { kind: 'folder synced', folder: file } : { kind: 'synced', file })
      }
    }
  }

  /** The system reported a failed sync of a file. */
  failSync(path: string): void {
    const file = this.known(path)
    if (file !== undefined) this.disk.failSync(file)
  }

  /** Writes what a power loss now would leave to an empty folder. */
  loseTo(target: string, random: Random): void {
    this.disk.loseTo(target, random)
  }

  /** The number of a file. One that another library wrote becomes known when it is first named. */
  private known(path: string): number | undefined {
    const number = this.numbers.get(path)
    if (number !== undefined) return number
    if (!path.startsWith(`${this.root}/`) || !existsSync(path)) return undefined
    const isFolder = statSync(path).isDirectory()
    const made = this.make(path, isFolder)
    if (!isFolder && made !== undefined)
      this.disk.apply({ kind: 'written', file: made, at: 0, bytes: contentsOf(path) })
    return made
  }

  private make(path: string, isFolder: boolean): number | undefined {
    const folder = this.known(dirname(path))
    if (folder === undefined) return undefined
    const file = this.next++
    this.numbers.set(path, file)
    this.disk.apply({ kind: 'made', folder, file, isFolder, name: basename(path) })
    return file
  }

  private rename(from: string, to: string): void {
    this.known(from)
    const [folder, target] = [this.known(dirname(from)), this.known(dirname(to))]
    if (folder === undefined || target === undefined) return
    this.disk.apply({ kind: 'moved', folder, to: target, name: basename(from), newName: basename(to) })
    for (const path of this.below(from)) {
      this.numbers.set(`${to}${path.slice(from.length)}`, this.numbers.get(path)!)
      this.numbers.delete(path)
    }
  }

  private below(path: string): string[] {
    return [...this.numbers.keys()].filter((name) => name === path || name.startsWith(`${path}/`))
  }

  /** Takes what is in a folder as synced. */
  private adopt(folder: string): void {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      this.known(path)
      if (entry.isDirectory()) this.adopt(path)
      else this.take({ kind: 'synced', path })
    }
    this.take({ kind: 'synced', path: folder })
  }
}
