import { expect, test } from 'bun:test'
import { zstdCompressSync } from 'node:zlib'
import { decodeValues } from '../../src/engine/parquet/decode-values.ts'
import { parseFooter, physicalType } from '../../src/engine/parquet/footer.ts'
import { rowsBetween } from '../../src/engine/parquet/parquet-file.ts'
import { runLengthsAt } from '../../src/engine/parquet/run-lengths.ts'

/** A number of Thrift's compact protocol, seven bits to a byte. */
function varint(value: number): number[] {
  const bytes: number[] = []
  for (; value > 127; value = Math.floor(value / 128)) bytes.push(128 + (value % 128))
  return [...bytes, value]
}

test('a list that is longer than the bytes of a footer is malformed', () => {
  const [list, yes, double] = [9, 1, 7]
  for (const item of [yes, double]) {
    const bytes = Uint8Array.from([(7 << 4) | list, (15 << 4) | item, ...varint(2 ** 52), 0])
    expect(() => parseFooter(bytes, 0)).toThrow(RangeError)
  }
})

test('a run whose value is cut off is malformed', () => {
  const sixty = 60 << 1
  const all = rowsBetween(0, 59)
  expect(() => runLengthsAt(Uint8Array.of(sixty), 0, 8, all)).toThrow(RangeError)
  expect(() => runLengthsAt(Uint8Array.of(sixty, 7), 0, 9, all)).toThrow(RangeError)
  expect([...runLengthsAt(Uint8Array.of(sixty, 7, 1), 0, 9, all)]).toEqual(new Array(60).fill(263))
})

test('a dictionary with fewer bytes than entries is malformed', async () => {
  const page = (type: number, struct: number, values: number, content: Uint8Array) => {
    const compressed = zstdCompressSync(content)
    const i32 = (value: number) => [(1 << 4) | 5, ...varint(value * 2)]
    const inner = [...i32(values), ...i32(type === 2 ? 0 : 8), ...(type === 2 ? [] : [...i32(3), ...i32(3)]), 0]
    const header = [...i32(type), ...i32(content.length), ...i32(compressed.length)]
    return [...header, ((struct - 3) << 4) | 12, ...inner, 0, ...compressed]
  }
  const word = Uint8Array.of(1, 0, 0, 0, 97)
  // Levels of one row that has a value, and one index of 1 bit.
  const data = Uint8Array.of(2, 0, 0, 0, 2, 1, 1, 2, 0)
  const chunk = (entries: number) => Uint8Array.from([...page(2, 7, entries, word), ...page(0, 5, 1, data)])
  const options = { type: physicalType.bytes, rows: 1, wanted: [0], contentBytes: 100 }
  expect((await decodeValues(chunk(1), options)).cell(0)).toBe('a')
  await expect(decodeValues(chunk(2 ** 28), options)).rejects.toThrow(RangeError)
})
