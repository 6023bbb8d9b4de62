import { expect, test } from 'bun:test'
import { DuckDBDataChunk, VARCHAR } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import { stringLayout } from './text-rows.ts'

const { entryBytes, inlineBytesMax, lengthAt, inlineTextAt, addressAt } = stringLayout

test('the string layout was verified for the installed DuckDB version', () => {
  // After an update: run the tests of this folder and of the store, then change the version here.
  expect(duckdb.library_version()).toBe('v1.5.5')
})

test('DuckDB lays out strings as described by stringLayout', () => {
  const texts = ['', 'a', 'x'.repeat(inlineBytesMax), 'y'.repeat(inlineBytesMax + 1), 'long '.repeat(100)]
  const chunk = DuckDBDataChunk.create([VARCHAR], texts.length)
  chunk.setColumnValues(0, texts)
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, 0)
  const { buffer, byteOffset } = duckdb.vector_get_data(vector, texts.length * entryBytes)
  const read = texts.map((text, row) => {
    const start = byteOffset + row * entryBytes
    const length = new DataView(buffer, start).getUint32(lengthAt, true)
    expect(length).toBe(text.length)
    if (length > inlineBytesMax) return duckdb.get_data_from_pointer(buffer as ArrayBuffer, start + addressAt, length)
    const rest = new Uint8Array(buffer, start + inlineTextAt + length, inlineBytesMax - length)
    expect([...rest]).toEqual(new Array(rest.length).fill(0))
    return new Uint8Array(buffer, start + inlineTextAt, length)
  })
  expect(read.map((bytes) => new TextDecoder().decode(bytes))).toEqual(texts)
})
