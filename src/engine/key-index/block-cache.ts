/** Words of a block, the last of which is its checksum. */
export const blockWords = 1024
export const blockBytes = blockWords * 4
const blocksPerChunk = 256
/** Blocks of an owner: up to 64 GiB. */
const blocksPerOwner = 2 ** 24
/** The id of no block. */
const none = -1

/**
 * The blocks of groups that were used last, of all tables: at most `bytesMax` bytes, which are
 * allocated as they are needed. Which one makes room is decided by the clock algorithm: one that
 * has not been asked for since the hand came by.
 */
export class BlockCache {
  private readonly slotsMax: number
  private readonly slots = new Map<number, number>()
  private readonly blocks: Uint32Array[] = []
  /** By slot. */
  private readonly ids: number[] = []
  private readonly isUsed: Uint8Array
  private taken = 0
  private hand = 0
  private owners = 0

  constructor(bytesMax: number) {
    this.slotsMax = Math.max(2, Math.floor(bytesMax / blockBytes))
    this.isUsed = new Uint8Array(this.slotsMax)
  }

  /** Memory that it takes at most. */
  get bytesMax(): number {
    return this.slotsMax * blockBytes
  }

  /** Memory that it takes. */
  get byteLength(): number {
    return this.blocks.length * blockBytes
  }

  /** The id of the first block of something that has blocks; those of others follow it. */
  newOwner(): number {
    return this.owners++ * blocksPerOwner
  }

  /** The result holds until the next call of `add`. */
  find(id: number): Uint32Array | undefined {
    const slot = this.slots.get(id)
    if (slot === undefined) return undefined
    this.isUsed[slot] = 1
    return this.blocks[slot]
  }

  /**
   * The same for a block that it does not have.
   *
   * @param fill reads the block; false if that fails
   */
  add(id: number, fill: (block: Uint32Array) => boolean): Uint32Array | undefined {
    const slot = this.free()
    const block = this.blocks[slot]
    if (block === undefined || !fill(block)) return undefined
    this.ids[slot] = id
    this.slots.set(id, slot)
    return block
  }

  /** A slot for another block. */
  private free(): number {
    if (this.taken < this.slotsMax) {
      if (this.taken === this.blocks.length) this.allocate(Math.min(blocksPerChunk, this.slotsMax - this.taken))
      return this.taken++
    }
    while (this.isUsed[this.hand] === 1) {
      this.isUsed[this.hand] = 0
      this.hand = (this.hand + 1) % this.slotsMax
    }
    const slot = this.hand
    this.hand = (slot + 1) % this.slotsMax
    this.slots.delete(this.ids[slot] ?? none)
    this.ids[slot] = none
    return slot
  }

  private allocate(count: number): void {
    const chunk = new Uint32Array(count * blockWords)
    for (let at = 0; at < count; at++) {
      this.ids.push(none)
      this.blocks.push(chunk.subarray(at * blockWords, (at + 1) * blockWords))
    }
  }
}
