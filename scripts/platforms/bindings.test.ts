import { expect, test } from 'bun:test'
import path from 'node:path'
import { bindingsOf, faultsOfLock, platforms } from './bindings.ts'

const lock = await Bun.file(path.join(import.meta.dir, '../../bun.lock')).text()

test('the lock file lists the library of every platform', () => {
  expect(platforms).toHaveLength(8)
  expect(faultsOfLock(lock)).toEqual([])
})

test.each(platforms.map(bindingsOf))('a lock file without %s is reported', (name) => {
  const without = lock
    .split('\n')
    .filter((line) => !line.trimStart().startsWith(`"${name}": [`))
    .join('\n')
  expect(faultsOfLock(without)).toEqual([expect.stringContaining(`no ${name}:`)])
})

test('a library of another version or for another machine is reported', () => {
  const other = lock.replace(/("@duckdb\/node-bindings-linux-x64-musl": \["[^"]*@)[^"@]*"/, '$11.0.0"')
  expect(faultsOfLock(other)).toEqual([expect.stringContaining('linux-x64-musl 1.0.0')])
  const everywhere = lock.replace('"os": "linux", "cpu": "x64", "libc": "musl"', '"os": "linux", "cpu": "x64"')
  expect(everywhere).not.toBe(lock)
  expect(faultsOfLock(everywhere)).toEqual([expect.stringContaining('libc undefined')])
})

test('an invalid lock file is reported', () => {
  for (const text of ['', '{', '{}', 'lock']) expect(faultsOfLock(text)).toEqual(['bun.lock is no lock file of Bun'])
})
