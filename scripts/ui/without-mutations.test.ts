import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { withoutMutations } from './without-mutations.ts'

const folder = await mkdtemp(path.join(import.meta.dir, '../../.cache/mutations-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const source = `
import { QueryClient } from '@tanstack/query-core'
export async function run() {
  const client = new QueryClient()
  client.mount()
  await client.resumePausedMutations()
  const answer = await client.fetchQuery({ queryKey: ['calls'], queryFn: async () => 50 })
  client.unmount()
  client.clear()
  return answer
}
export const mutate = () => {
  const client = new QueryClient()
  client.getMutationCache().build(client, {})
}`

async function bundled(plugins: Bun.BunPlugin[], name: string): Promise<{ bytes: number; file: string }> {
  const entry = path.join(folder, 'entry.ts')
  await Bun.write(entry, source)
  const { outputs } = await Bun.build({ entrypoints: [entry], target: 'browser', minify: true, plugins })
  const file = path.join(folder, name)
  const text = (await Promise.all(outputs.map((output) => output.text()))).join('')
  await Bun.write(file, text)
  return { bytes: text.length, file }
}

test('a client of queries works without mutations, and takes less', async () => {
  const whole = await bundled([], 'whole.js')
  const part = await bundled([withoutMutations], 'part.js')
  expect(part.bytes).toBeLessThan(whole.bytes - 2_000)
  const { run, mutate } = await import(part.file)
  expect(await run()).toBe(50)
  expect(mutate).toThrow('Mutations are left out of this bundle')
})
