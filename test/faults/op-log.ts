/** One file system operation; see fault-fs.c. Files and folders are identified by numbers. */
export type Operation =
  | {
      readonly kind: 'made'
      readonly folder: number
      readonly file: number
      readonly isFolder: boolean
      readonly name: string
    }
  | { readonly kind: 'gone'; readonly folder: number; readonly name: string }
  | {
      readonly kind: 'moved'
      readonly folder: number
      readonly to: number
      readonly name: string
      readonly newName: string
    }
  | { readonly kind: 'written'; readonly file: number; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: 'cut'; readonly file: number; readonly size: number }
  | { readonly kind: 'synced'; readonly file: number }
  | { readonly kind: 'folder synced'; readonly folder: number }
  | { readonly kind: 'mark'; readonly text: string }

const headBytes = 25
const decoder = new TextDecoder()

/**
 * All operations of a log, in order. A truncated last record is ignored. See
 * docs/decisions/074-power-loss-simulation.md.
 */
export function readOperations(log: Uint8Array): Operation[] {
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength)
  const operations: Operation[] = []
  for (let at = 0; at + headBytes <= log.byteLength; ) {
    const kind = String.fromCharCode(log[at]!)
    const [a, b] = [view.getUint32(at + 1, true), view.getUint32(at + 5, true)]
    const offset = Number(view.getBigUint64(at + 9, true))
    const firstEnd = at + headBytes + view.getUint32(at + 17, true)
    const end = firstEnd + view.getUint32(at + 21, true)
    if (end > log.byteLength) break
    const first = log.subarray(at + headBytes, firstEnd)
    operations.push(operationOf(kind, a, b, offset, first, decoder.decode(log.subarray(firstEnd, end))))
    at = end
  }
  return operations
}

function operationOf(kind: string, a: number, b: number, offset: number, first: Uint8Array, second: string): Operation {
  switch (kind) {
    case 'C':
      return { kind: 'made', folder: a, file: b, isFolder: offset === 1, name: decoder.decode(first) }
    case 'U':
      return { kind: 'gone', folder: a, name: decoder.decode(first) }
    case 'R':
      return { kind: 'moved', folder: a, to: b, name: decoder.decode(first), newName: second }
    case 'W':
      return { kind: 'written', file: a, at: offset, bytes: first }
    case 'T':
      return { kind: 'cut', file: a, size: offset }
    case 'F':
      return { kind: 'synced', file: a }
    case 'D':
      return { kind: 'folder synced', folder: a }
    case 'M':
      return { kind: 'mark', text: decoder.decode(first) }
    default:
      throw new Error(`Read the log of the file system: there is no kind "${kind}"`)
  }
}
