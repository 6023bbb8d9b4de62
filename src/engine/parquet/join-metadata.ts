import { concatBytes } from '../../lib/bytes.ts'
import { itemAt, present } from '../../lib/present.ts'
import { ThriftReader, thriftType } from './thrift-reader.ts'

/** The metadata at the end of a Parquet file whose row groups become part of another file. */
export interface JoinedMetadata {
  readonly bytes: Uint8Array
  /** By how many bytes its row groups move. */
  readonly shift: number
}

/** An integer at [from, to) of some metadata, and the one to put in its place. */
interface Edit {
  readonly from: number
  readonly to: number
  readonly value: number
}

/** Positions in the metadata of the values that change when files are joined. */
interface Outline {
  readonly bytes: Uint8Array
  readonly rows: Edit
  /** The list of row groups; its items begin at `itemsFrom`. */
  readonly groups: { readonly from: number; readonly itemsFrom: number; readonly to: number; readonly count: number }
  /** Offsets and ordinals of row groups. */
  readonly edits: readonly Edit[]
}

/**
 * The metadata of one file with the row groups of several files, in order, whose columns are the
 * same. All other metadata is that of the first.
 *
 * @throws RangeError if one of them is malformed
 * @throws Error if the columns differ
 */
export function joinMetadata(parts: readonly JoinedMetadata[]): Uint8Array {
  const outlines: Outline[] = []
  let groupsBefore = 0
  for (const { bytes, shift } of parts) {
    const outline = outlineOf(bytes, shift, groupsBefore)
    outlines.push(outline)
    groupsBefore += outline.groups.count
  }
  const first = itemAt(outlines, 0)
  const { bytes, rows, groups } = first
  const columns = bytes.subarray(0, rows.from)
  if (outlines.some((each) => Buffer.compare(columns, each.bytes.subarray(0, each.rows.from)) !== 0))
    throw new Error('Join Parquet files: their columns differ')
  return concatBytes([
    columns,
    integerBytes(outlines.reduce((sum, each) => sum + each.rows.value, 0)),
    bytes.subarray(rows.to, groups.from),
    listHead(groupsBefore),
    ...outlines.flatMap(editedGroups),
    bytes.subarray(groups.to),
  ])
}

function outlineOf(bytes: Uint8Array, shift: number, groupsBefore: number): Outline {
  const reader = new ThriftReader(bytes)
  const edits: Edit[] = []
  const edit = (by: number) => {
    const from = reader.at
    const value = reader.integer()
    edits.push({ from, to: reader.at, value: value + by })
  }
  // 0 means that there is no offset.
  const move = () => {
    const from = reader.at
    const value = reader.integer()
    edits.push({ from, to: reader.at, value: value === 0 ? 0 : value + shift })
  }
  const struct = (places: ReadonlySet<number>, other: (field: number, type: number) => boolean = () => false) =>
    reader.struct((field, type) => {
      if (places.has(field)) move()
      else if (!other(field, type)) reader.skip(type)
    })
  const chunk = () =>
    struct(chunkPlaces, (field, type) => {
      const isMetadata = field === 3 && type === thriftType.struct
      if (isMetadata) struct(columnPlaces)
      return isMetadata
    })
  const group = () =>
    struct(groupPlaces, (field) => {
      if (field === 1) reader.list(chunk)
      else if (field === 7) edit(groupsBefore)
      return field === 1 || field === 7
    })
  let rows: Edit | undefined
  let groups: Outline['groups'] | undefined
  reader.struct((field, type) => {
    const from = reader.at
    if (field === 3) rows = { from, value: reader.integer(), to: reader.at }
    else if (field === 4) {
      let [itemsFrom, count]: [number | undefined, number] = [undefined, 0]
      reader.list(() => {
        itemsFrom ??= reader.at
        group()
        count++
      })
      groups = { from, itemsFrom: itemsFrom ?? reader.at, to: reader.at, count }
    } else reader.skip(type)
  })
  return { bytes, rows: present(rows, 'The rows of a file'), groups: present(groups, 'Row groups'), edits }
}

/** Fields with file offsets, of a row group, of a column chunk and of its metadata. */
const groupPlaces: ReadonlySet<number> = new Set([5])
const chunkPlaces: ReadonlySet<number> = new Set([2, 4, 6])
const columnPlaces: ReadonlySet<number> = new Set([9, 10, 11, 14])

function editedGroups({ bytes, groups, edits }: Outline): Uint8Array[] {
  const pieces: Uint8Array[] = []
  let at = groups.itemsFrom
  for (const { from, to, value } of edits) {
    pieces.push(bytes.subarray(at, from), integerBytes(value))
    at = to
  }
  return [...pieces, bytes.subarray(at, groups.to)]
}

const listHead = (count: number): Uint8Array =>
  count < 15
    ? Uint8Array.of((count << 4) | thriftType.struct)
    : concatBytes([Uint8Array.of(0xf0 | thriftType.struct), unsignedBytes(count)])

/** An integer that is not negative, as the compact protocol has it. */
const integerBytes = (value: number): Uint8Array => unsignedBytes(value * 2)

function unsignedBytes(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Uint8Array.from([...bytes, rest])
}
