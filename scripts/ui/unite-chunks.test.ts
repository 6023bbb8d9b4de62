import { expect, test } from 'bun:test'
import { uniteChunks } from './unite-chunks.ts'

const chunk = (bytes: number, imports: string[] = [], entryPoint?: string) => ({
  bytes,
  inputs: { [entryPoint ?? `${bytes}.ts`]: {} },
  imports: imports.map((path) => ({ path, kind: 'import-statement' })),
  ...(entryPoint !== undefined && { entryPoint }),
})

const options = { entry: 'index.html', requestBytes: 1000, weightOf: (_: string): number => 1 }

const united = (chunks: Parameters<typeof uniteChunks>[0], more: Partial<typeof options> = {}) =>
  Object.fromEntries(uniteChunks(chunks, { ...options, ...more }))

const page = { 'index.js': chunk(9000, [], 'index.html') }

test('small chunks that two views share are loaded together by a third that needs one of them', () => {
  const chunks = {
    ...page,
    'a.js': chunk(5000, ['index.js', 'both.js', 'all.js'], 'a.tsx'),
    'b.js': chunk(5000, ['index.js', 'both.js', 'all.js'], 'b.tsx'),
    'c.js': chunk(5000, ['index.js', 'all.js'], 'c.tsx'),
    'both.js': chunk(300),
    'all.js': chunk(200),
  }
  expect(united(chunks)).toEqual({ 'c.tsx': ['300.ts'] })
})

test('a large chunk stays away from views that do not need it', () => {
  const chunks = {
    ...page,
    'a.js': chunk(5000, ['both.js', 'all.js'], 'a.tsx'),
    'b.js': chunk(5000, ['both.js', 'all.js'], 'b.tsx'),
    'c.js': chunk(5000, ['all.js'], 'c.tsx'),
    'both.js': chunk(2_500),
    'all.js': chunk(200),
  }
  expect(united(chunks)).toEqual({})
  const weightOf = (entryPoint: string) => (entryPoint === 'a.tsx' ? 10 : 1)
  expect(united(chunks, { weightOf })).toEqual({ 'c.tsx': ['2500.ts'] })
})

test('what a chunk imports comes with it', () => {
  const chunks = {
    ...page,
    'a.js': chunk(5000, ['both.js', 'all.js'], 'a.tsx'),
    'b.js': chunk(5000, ['both.js', 'all.js'], 'b.tsx'),
    'c.js': chunk(5000, ['all.js'], 'c.tsx'),
    'both.js': chunk(300, ['icon.js', 'index.js']),
    'icon.js': chunk(100),
    'all.js': chunk(200),
  }
  expect(united(chunks)['c.tsx']?.sort()).toEqual(['100.ts', '300.ts'])
})

test('a chunk that needs a view stays as it is', () => {
  const chunks = {
    ...page,
    'a.js': chunk(5000, ['all.js'], 'a.tsx'),
    'b.js': chunk(5000, ['link.js', 'all.js'], 'b.tsx'),
    'c.js': chunk(5000, ['link.js', 'all.js'], 'c.tsx'),
    'link.js': chunk(10, ['a.js']),
    'all.js': chunk(200),
  }
  expect(united(chunks)).toEqual({})
})
