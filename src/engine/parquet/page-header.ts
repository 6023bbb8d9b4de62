import { ThriftReader, thriftType } from './thrift-reader.ts'

/** Encodings of values; the first name of the last one is from an earlier version of the format. */
export const encoding = { plain: 0, plainDictionary: 2, runs: 3, dictionary: 8 } as const

export const pageType = { data: 0, dictionary: 2 } as const

/** A page within a column chunk. */
export interface PageHeader {
  readonly type: number
  readonly uncompressedBytes: number
  readonly compressedBytes: number
  readonly values: number
  readonly encoding: number
  readonly levelEncoding: number
  /** Where the bytes of the page begin. */
  readonly at: number
}

/** Reads the header of the page at `at`. @throws RangeError if it is malformed */
export function readPageHeader(bytes: Uint8Array, at: number): PageHeader {
  const reader = new ThriftReader(bytes, at)
  const header = { type: -1, uncompressedBytes: 0, compressedBytes: 0, values: 0, encoding: -1, levelEncoding: -1 }
  reader.struct((field, type) => {
    if (field === 1) header.type = reader.integer()
    else if (field === 2) header.uncompressedBytes = reader.integer()
    else if (field === 3) header.compressedBytes = reader.integer()
    else if ((field === 5 || field === 7) && type === thriftType.struct) {
      reader.struct((inner, innerType) => {
        if (inner === 1) header.values = reader.integer()
        else if (inner === 2) header.encoding = reader.integer()
        else if (inner === 3 && field === 5) header.levelEncoding = reader.integer()
        else reader.skip(innerType)
      })
    } else reader.skip(type)
  })
  return { ...header, at: reader.at }
}
