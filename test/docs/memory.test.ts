import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { MiB } from '../../src/lib/bytes.ts'
import {
  bodyBytes,
  defaultMemoryBytes,
  filterBytes,
  intakeThreads,
  memtableBytes,
} from '../../src/lib/limits/memory.ts'
import { requestLimits } from '../../src/lib/limits/requests.ts'

const guide = readFileSync(path.join(import.meta.dir, '../../docs/guide/operating.md'), 'utf8')

/** The columns of the guide's table for a value of `TRACELAKE_MEMORY_MB`. */
function limitsOf(memoryMb: number): number[] {
  const bodies = bodyBytes(memoryMb * MiB, requestLimits.bodyBytesMax)
  return [
    memtableBytes(memoryMb * MiB) / MiB,
    filterBytes(memoryMb * MiB) / MiB,
    bodies.texts / MiB,
    bodies.values / MiB,
    intakeThreads(memoryMb * MiB, requestLimits.intakeThreadsMax),
  ]
}

const rows = [...guide.matchAll(/^\| ([\d,]+)(?: and more)? \|((?: \d+ \|){5})$/gm)].map(([, memory, limits]) => ({
  memoryMb: Number(memory?.replace(',', '')),
  limits: limits?.match(/\d+/g)?.map(Number),
}))

test('the limits that follow from the memory are those of the guide', () => {
  expect(rows.map(({ memoryMb }) => memoryMb)).toEqual([128, 256, 512, 1024])
  for (const { memoryMb, limits } of rows)
    expect({ memoryMb, limits }).toEqual({ memoryMb, limits: limitsOf(memoryMb) })
  expect(limitsOf(1_048_576)).toEqual(limitsOf(1024))
})

test('bodies of a larger size take more memory', () => {
  expect(bodyBytes(128 * MiB, 100 * MiB).texts).toBe(400 * MiB)
  expect(bodyBytes(1024 * MiB, 100 * MiB).texts).toBe(400 * MiB)
  expect(bodyBytes(128 * MiB, 1 * MiB).texts).toBe(32 * MiB)
})

test.each([
  [256, 128],
  [512, 128],
  [1_000, 250],
  [2_048, 512],
  [4_096, 1_024],
  [65_536, 1_024],
])('of %d MiB, a server takes %d MiB by default', (machineMb, memoryMb) => {
  expect(defaultMemoryBytes(machineMb * MiB)).toBe(memoryMb * MiB)
  expect(defaultMemoryBytes(machineMb * MiB + 4096)).toBe(memoryMb * MiB)
})
