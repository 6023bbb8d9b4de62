import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Operation } from './op-log.ts'

interface Random {
  below(bound: number): number
  chance(probability: number): boolean
}

type Change = { readonly at: number; readonly bytes: Uint8Array } | { readonly size: number }

class FileState {
  durable: Uint8Array = new Uint8Array(0)
  pending: Change[] = []

  /** The system reported a failed sync and takes the contents for written all the same. */
  forget(): void {
    this.pending = []
  }

  sync(): void {
    this.durable = this.pending.reduce(applied, this.durable)
    this.pending = []
  }
}

/**
 * What a name referred to after each change since the folder was last synced; the first entry is
 * durable. Undefined if nothing.
 */
interface NameHistory {
  values: (number | undefined)[]
  /** Number of the operation that produced each value. */
  operations: number[]
}

/**
 * What is on a disk after a power loss: everything synced, and a random part of the rest. Unsynced
 * contents survive in blocks, names in the order in which each changed; an unsynced rename
 * never loses both names. Nothing is assumed that POSIX does not guarantee: syncing a file makes no
 * name durable, and syncing a folder no content.
 */
export class Disk {
  private readonly files = new Map<number, FileState>()
  private readonly folders = new Map<number, Map<string, NameHistory>>([[1, new Map()]])
  private readonly moves: { operation: number; from: NameHistory; to: NameHistory }[] = []
  private readonly blockBytes: number
  private count = 0

  /** @param blockBytes what the disk writes at once: contents are torn at its multiples */
  constructor(blockBytes = 4096) {
    this.blockBytes = blockBytes
  }

  /** After a failed sync, earlier writes may be lost even if a later sync succeeds. */
  failSync(file: number): void {
    this.files.get(file)?.forget()
  }

  apply(operation: Operation): void {
    this.count++
    switch (operation.kind) {
      case 'made':
        if (operation.isFolder) this.folders.set(operation.file, this.folders.get(operation.file) ?? new Map())
        else if (!this.files.has(operation.file)) this.files.set(operation.file, new FileState())
        this.set(operation.folder, operation.name, operation.file)
        return
      case 'gone':
        this.set(operation.folder, operation.name, undefined)
        return
      case 'moved': {
        const moved = this.history(operation.folder, operation.name).values.at(-1)
        const to = this.set(operation.to, operation.newName, moved)
        const from = this.set(operation.folder, operation.name, undefined)
        this.moves.push({ operation: this.count, from, to })
        return
      }
      case 'written':
        this.files.get(operation.file)?.pending.push({ at: operation.at, bytes: operation.bytes })
        return
      case 'cut':
        this.files.get(operation.file)?.pending.push({ size: operation.size })
        return
      case 'synced':
        this.files.get(operation.file)?.sync()
        return
      case 'folder synced':
        for (const [name, { values }] of this.folders.get(operation.folder) ?? [])
          this.folders.get(operation.folder)!.set(name, { values: [values.at(-1)], operations: [0] })
        return
      case 'mark':
    }
  }

  /** Writes what a power loss at this point would leave to an empty folder. */
  loseTo(target: string, random: Random): void {
    const survived = new Map<NameHistory, number>()
    const chosen = (history: NameHistory): number => {
      const known = survived.get(history) ?? random.below(history.values.length)
      survived.set(history, known)
      return known
    }
    for (const { operation, from, to } of this.moves) {
      const [left, came] = [from.operations.indexOf(operation), to.operations.indexOf(operation)]
      if (left > 0 && came > 0 && chosen(from) >= left && chosen(to) < came) survived.set(to, came)
    }
    this.place(1, target, chosen, random)
  }

  private place(folder: number, target: string, chosen: (history: NameHistory) => number, random: Random): void {
    for (const [name, history] of this.folders.get(folder)!) {
      const number = history.values[chosen(history)]
      if (number === undefined) continue
      const path = join(target, name)
      const file = this.files.get(number)
      if (file === undefined) {
        mkdirSync(path)
        this.place(number, path, chosen, random)
      } else writeFileSync(path, survivingBytes(file, random, this.blockBytes))
    }
  }

  private history(folder: number, name: string): NameHistory {
    const names = this.folders.get(folder)!
    const known = names.get(name) ?? { values: [undefined], operations: [0] }
    names.set(name, known)
    return known
  }

  private set(folder: number, name: string, value: number | undefined): NameHistory {
    const history = this.history(folder, name)
    history.values.push(value)
    history.operations.push(this.count)
    return history
  }
}

function survivingBytes({ durable, pending }: FileState, random: Random, blockBytes: number): Uint8Array {
  // All or nothing is the most common outcome and gets most of the tries.
  const mood = random.below(3)
  if (mood === 0) return durable
  const blocks = pending.flatMap((change) => ('size' in change ? [change] : blocksOf(change, blockBytes)))
  return blocks.filter(() => mood === 1 || random.chance(0.5)).reduce(applied, durable)
}

function blocksOf({ at, bytes }: { at: number; bytes: Uint8Array }, blockBytes: number): Change[] {
  const blocks: Change[] = []
  for (let from = 0; from < bytes.byteLength; ) {
    const length = blockBytes - ((at + from) % blockBytes)
    blocks.push({ at: at + from, bytes: bytes.subarray(from, from + length) })
    from += length
  }
  return blocks
}

function applied(before: Uint8Array, change: Change): Uint8Array {
  const size = 'size' in change ? change.size : Math.max(before.byteLength, change.at + change.bytes.byteLength)
  const after = new Uint8Array(size)
  after.set(before.subarray(0, size))
  if (!('size' in change)) after.set(change.bytes, change.at)
  return after
}
