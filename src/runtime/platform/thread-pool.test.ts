import { expect, test } from 'bun:test'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import process from 'node:process'

/** Prints what the C library of the process says after the call. */
const program = `
const { widenThreadPool } = await import(${JSON.stringify(path.join(import.meta.dir, 'thread-pool.ts'))})
await widenThreadPool()
const { dlopen } = await import('bun:ffi')
const { symbols } = dlopen(${JSON.stringify(process.platform === 'darwin' ? 'libSystem.B.dylib' : 'libc.so.6')}, {
  getenv: { args: ['cstring'], returns: 'cstring' },
})
console.log(String(symbols.getenv(Buffer.from('UV_THREADPOOL_SIZE\\0'))))
`

async function threadsWith(env: Readonly<Record<string, string>>): Promise<string> {
  const { UV_THREADPOOL_SIZE: _, ...inherited } = process.env
  const child = Bun.spawn([process.execPath, '-e', program], { env: { ...inherited, ...env }, stdout: 'pipe' })
  const text = await new Response(child.stdout).text()
  expect(await child.exited).toBe(0)
  return text.trim()
}

test('gives Bun eight threads, or as many as there are processors', async () => {
  expect(await threadsWith({})).toBe(String(Math.max(8, availableParallelism())))
})

test('leaves the number of threads alone if it is given', async () => {
  expect(await threadsWith({ UV_THREADPOOL_SIZE: '3' })).toBe('3')
})
