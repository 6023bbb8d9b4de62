import { expect, test } from 'bun:test'
import { findSharedModules } from './shared-modules.ts'

const chunk = (modules: string[], bytes: number, imports: string[] = [], entryPoint?: string) => ({
  bytes,
  inputs: Object.fromEntries(modules.map((module) => [module, {}])),
  imports: imports.map((path) => ({ path, kind: 'import-statement' })),
  ...(entryPoint !== undefined && { entryPoint }),
})

const options = { entry: 'index.html', chunkBytesMax: 1000 }

test('small chunks that views share join the entry, views and large chunks do not', () => {
  const chunks = {
    'entry.js': chunk(['app.tsx'], 9000, [], 'index.html'),
    'view.js': chunk(['view.tsx'], 500, ['button.js', 'chart.js'], 'view.tsx'),
    'button.js': chunk(['button.tsx', 'icon.ts'], 300, ['entry.js']),
    'chart.js': chunk(['chart.tsx'], 50_000),
    'view.css': chunk(['view.css'], 100),
  }
  expect(findSharedModules(chunks, options)).toEqual(['button.tsx', 'icon.ts'])
})

test('a small chunk that needs a large one or a view stays with it', () => {
  const chunks = {
    'axis.js': chunk(['axis.ts'], 100, ['chart.js']),
    'legend.js': chunk(['legend.ts'], 100, ['axis.js']),
    'chart.js': chunk(['chart.tsx'], 50_000),
    'link.js': chunk(['link.ts'], 100, ['view.js']),
    'view.js': chunk(['view.tsx'], 100, [], 'view.tsx'),
  }
  expect(findSharedModules(chunks, options)).toEqual([])
})

test('chunks that import each other join together', () => {
  const chunks = { 'a.js': chunk(['a.ts'], 100, ['b.js']), 'b.js': chunk(['b.ts'], 100, ['a.js']) }
  expect(findSharedModules(chunks, options)).toEqual(['a.ts', 'b.ts'])
})

test('a small chunk that only parts of one view share stays apart', () => {
  const chunks = {
    'keys.js': chunk(['keys.tsx'], 500, ['words.js'], 'settings/keys.tsx'),
    'audit.js': chunk(['audit.tsx'], 500, ['words.js', 'field.js'], 'settings/audit.tsx'),
    'login.js': chunk(['login.tsx'], 500, ['field.js'], 'login/login-view.tsx'),
    'words.js': chunk(['words.ts'], 100),
    'field.js': chunk(['field.tsx'], 100),
  }
  expect(findSharedModules(chunks, options)).toEqual(['field.tsx'])
})
