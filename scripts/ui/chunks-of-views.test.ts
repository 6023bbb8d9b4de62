import { expect, test } from 'bun:test'
import { chunksOfViews } from './chunks-of-views.ts'

const chunk = (entryPoint: string | undefined, ...imports: [path: string, kind: string][]) => ({
  bytes: 1,
  inputs: {},
  imports: imports.map(([path, kind]) => ({ path, kind })),
  ...(entryPoint !== undefined && { entryPoint }),
})

test('a view needs its chunk and what that imports, without the entry and what is loaded later', () => {
  const chunks = {
    './assets/entry.js': chunk('src/web/index.html', ['./assets/shared.js', 'import-statement']),
    './assets/shared.js': chunk(undefined),
    './assets/calls-view.js': chunk(
      'src/web/views/calls/calls-view.tsx',
      ['./assets/shared.js', 'import-statement'],
      ['./assets/table.js', 'import-statement'],
      ['./assets/dialog.js', 'dynamic-import'],
    ),
    './assets/table.js': chunk(undefined, ['./assets/entry.js', 'import-statement']),
    './assets/dialog.js': chunk('src/web/table/dialog.tsx'),
    './assets/calls-view.css': chunk('src/web/views/calls/calls-view.tsx'),
  }
  expect(chunksOfViews(chunks)).toEqual({ calls: ['assets/calls-view.js', 'assets/table.js'] })
})
