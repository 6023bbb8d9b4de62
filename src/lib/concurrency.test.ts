import { expect, test } from 'bun:test'
import { KeyedMutex } from './concurrency.ts'

test('tasks of one key run one at a time, other keys do not wait, and a failure blocks nothing', async () => {
  const queue = new KeyedMutex()
  const log: string[] = []
  const task = (name: string, turns: number) => async () => {
    log.push(`${name} begins`)
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    log.push(`${name} ends`)
    if (name === 'b') throw new Error('refused')
    return name
  }
  const results = await Promise.allSettled([
    queue.run('p', task('a', 50)),
    queue.run('p', task('b', 5)),
    queue.run('q', task('x', 1)),
    queue.run('p', task('c', 1)),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(log.filter((line) => !line.startsWith('x'))).toEqual(
    ['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  )
  expect(log.indexOf('x ends')).toBeLessThan(log.indexOf('a ends'))
})
