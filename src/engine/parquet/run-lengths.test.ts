import { expect, test } from 'bun:test'
import { SeededRandom } from '../../demo/traces/seeded-random.ts'
import { placesOfValues } from './run-lengths.ts'

/** Levels in runs and bit-packed groups, by turns, with as many rows in each as `sizes` says. */
function encode(levels: readonly number[], sizes: readonly number[]): Uint8Array {
  const bytes: number[] = []
  let row = 0
  for (const [index, size] of sizes.entries()) {
    if (index % 2 === 0) {
      // All rows of a run have the level of the first one.
      bytes.push(size << 1, levels[row] ?? 0)
    } else {
      bytes.push(((size / 8) << 1) | 1)
      for (let at = row; at < row + size; at += 8)
        bytes.push(levels.slice(at, at + 8).reduce((byte, level, bit) => byte | (level << bit), 0))
    }
    row += size
  }
  return Uint8Array.from(bytes)
}

test('values before a row are counted in runs and in bit-packed groups', () => {
  const random = new SeededRandom(7)
  for (let attempt = 0; attempt < 300; attempt++) {
    const sizes = Array.from({ length: 6 }, (_, index) =>
      index % 2 === 0 ? 1 + random.integer(0, 59) : 8 * (1 + random.integer(0, 4)),
    )
    const levels = sizes.flatMap((size, index) => {
      const level = random.integer(0, 1)
      return Array.from({ length: size }, () => (index % 2 === 0 ? level : random.integer(0, 1)))
    })
    const share = random.integer(0, 99)
    const wanted = levels
      .keys()
      .filter(() => random.integer(0, 99) <= share)
      .toArray()
    const places = wanted.map((row) =>
      levels[row] === 1 ? levels.slice(0, row).filter((level) => level === 1).length : -1,
    )
    expect(placesOfValues(encode(levels, sizes), wanted)).toEqual(places)
  }
})

test('levels that end before a wanted row are malformed', () => {
  const [tenRows, eightRows] = [Uint8Array.of(10 << 1, 1), Uint8Array.of((2 << 1) | 1, 0xff)]
  expect(placesOfValues(tenRows, [9])).toEqual([9])
  expect(() => placesOfValues(tenRows, [10])).toThrow(RangeError)
  expect(placesOfValues(eightRows, [7])).toEqual([7])
  expect(() => placesOfValues(eightRows, [8])).toThrow(RangeError)
})
