import { expect, test } from 'bun:test'
import type { DataFile } from '../data-files/data-file.ts'
import type { RowKey } from '../row-key.ts'
import { type FoundKeys, HiddenKeys } from './hidden-keys.ts'

const [a, b] = [{ fileName: 'a' }, { fileName: 'b' }] as DataFile[] as [DataFile, DataFile]
const dataFiles = [a, b]

const finding = (ofA: readonly RowKey[], ofB: readonly RowKey[], isFinal = true) => {
  const finder = { calls: 0, find }
  async function find(): Promise<FoundKeys> {
    finder.calls++
    return {
      keys: new Map([
        [a, [...ofA]],
        [b, [...ofB]],
      ]),
      isFinal,
    }
  }
  return finder
}

test('the keys are found once, until others are hidden or the files change', async () => {
  const hidden = new HiddenKeys()
  const finder = finding(['p\n1'], [])
  const first = await hidden.in(dataFiles, 'mask:1', finder.find)
  expect(first.get(a)).toEqual(['p\n1'])
  expect(await hidden.in(dataFiles, 'mask:1', finder.find)).toBe(first)
  expect(finder.calls).toBe(1)
  await hidden.in(dataFiles, 'mask:2', finder.find)
  await hidden.in([a, b], 'mask:2', finder.find)
  expect(finder.calls).toBe(3)
})

test('readers of the same moment share one search', async () => {
  const hidden = new HiddenKeys()
  for (const isFinal of [true, false]) {
    const finder = finding(['p\n1'], [], isFinal)
    const ask = () => Promise.all([1, 2, 3].map(() => hidden.in(dataFiles, `mask:${isFinal}`, finder.find)))
    await ask()
    expect(finder.calls).toBe(1)
    await ask()
    expect(finder.calls).toBe(isFinal ? 1 : 2)
  }
})

test('a file with the same keys keeps its array', async () => {
  const hidden = new HiddenKeys()
  const before = await hidden.in(dataFiles, 'mask:1', finding(['p\n1'], ['p\n2']).find)
  const after = await hidden.in(dataFiles, 'mask:2', finding(['p\n1'], ['p\n2', 'p\n3']).find)
  expect(after.get(a)).toBe(before.get(a))
  expect(after.get(b)).toEqual(['p\n2', 'p\n3'])
})

test('what may be found better later, or could not be found, is looked for again', async () => {
  const hidden = new HiddenKeys()
  const vague = finding(['p\n1'], ['p\n1'], false)
  await hidden.in(dataFiles, 'mask:1', vague.find)
  await hidden.in(dataFiles, 'mask:1', vague.find)
  expect(vague.calls).toBe(2)
  const failing = hidden.in(dataFiles, 'mask:2', () => Promise.reject(new Error('no disk')))
  const other = hidden.in(dataFiles, 'mask:2', finding(['p\n1'], []).find)
  expect(failing).rejects.toThrow('no disk')
  expect((await other).get(a)).toEqual(['p\n1'])
})
