import { expect, test } from 'bun:test'
import { readDeletedRows, vectorFileName } from './deletion-vector.ts'

test("decodes the inline vector of the protocol's example", async () => {
  const vector = {
    storageType: 'i',
    pathOrInlineDv: 'wi5b=000010000siXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L',
    sizeInBytes: 40,
    cardinality: 6,
  }
  expect(await readDeletedRows('/nowhere', vector)).toEqual([3, 4, 7, 11, 18, 29])
  await expect(readDeletedRows('/nowhere', { ...vector, cardinality: 7 })).rejects.toThrow('the Delta log says 7')
})

test("resolves the file name of the protocol's example", () => {
  const vector = { storageType: 'u', pathOrInlineDv: 'ab^-aqEH.-t@S}K{vb[*k^', sizeInBytes: 1, cardinality: 1 }
  expect(vectorFileName(vector)).toBe('ab/deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin')
})
