import { checksum } from '../../runtime/platform/files/checksum.ts'
import { SplitBlockBloomFilter } from '../keys/split-block-bloom-filter.ts'

const headerBytes = 32
const magic = 0x31474b54

/**
 * One filter over the keys of many data files, so that a new key is recognized with a few lookups
 * however many files there are. It is immutable. Keys of files that have left the table stay in it
 * as false positives until another group replaces it.
 */
export class KeyGroup {
  /** Data files whose keys it contains, whether or not they are still part of the table. */
  readonly fileNames: ReadonlySet<string>
  /** The number of keys in the filter. */
  readonly keys: number
  readonly filter: SplitBlockBloomFilter

  constructor(fileNames: Iterable<string>, keys: number, filter: SplitBlockBloomFilter) {
    this.fileNames = new Set(fileNames)
    this.keys = keys
    this.filter = filter
  }

  /** Reverses `toBytes`; undefined for damaged or unknown data. */
  static fromBytes(bytes: Uint8Array): KeyGroup | undefined {
    if (bytes.byteLength < headerBytes) return undefined
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const [found, stated, keys, namesBytes, words] = [0, 4, 8, 12, 16].map((at) => view.getUint32(at, true)) as [
      number,
      number,
      number,
      number,
      number,
    ]
    if (found !== magic || bytes.byteLength !== headerBytes + namesBytes + words * 4) return undefined
    if (stated !== checksum(bytes.subarray(8))) return undefined
    const names = new TextDecoder().decode(bytes.subarray(headerBytes, headerBytes + namesBytes))
    const filter = new SplitBlockBloomFilter(new Uint32Array(bytes.slice(headerBytes + namesBytes).buffer))
    return new KeyGroup(names.split('\n'), keys, filter)
  }

  toBytes(): Uint8Array {
    const names = new TextEncoder().encode([...this.fileNames].join('\n'))
    const { words } = this.filter
    const bytes = new Uint8Array(headerBytes + names.byteLength + words.byteLength)
    const view = new DataView(bytes.buffer)
    view.setUint32(0, magic, true)
    view.setUint32(8, this.keys, true)
    view.setUint32(12, names.byteLength, true)
    view.setUint32(16, words.length, true)
    bytes.set(names, headerBytes)
    bytes.set(new Uint8Array(words.buffer, words.byteOffset, words.byteLength), headerBytes + names.byteLength)
    view.setUint32(4, checksum(bytes.subarray(8)), true)
    return bytes
  }
}
