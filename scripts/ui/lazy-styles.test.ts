import { expect, test } from 'bun:test'
import { loadedAtOnce, stylesByModule } from './lazy-styles.ts'

test('the rules of each module, in the order of the sheet, with the names of its classes', () => {
  const sheet = [
    '/* src/web/style/base.css */',
    '@layer parts,views;',
    '',
    '/* src/web/table/row.module.css */',
    '@layer parts{.row_aB3_-x:hover .cut-off_aB3_-x{width:.5em}.sr-only{}}',
  ]
  expect([...stylesByModule(sheet.join('\n'))]).toEqual([
    ['src/web/style/base.css', { css: '@layer parts,views;', order: 0, classes: new Map() }],
    [
      'src/web/table/row.module.css',
      {
        css: '@layer parts{.row_aB3_-x:hover .cut-off_aB3_-x{width:.5em}.sr-only{}}',
        order: 1,
        classes: new Map([
          ['row', 'row_aB3_-x'],
          ['cut-off', 'cut-off_aB3_-x'],
        ]),
      },
    ],
  ])
})

test('what is imported by a call is loaded later', () => {
  const now = (path: string) => ({ path, kind: 'import-statement' })
  const inputs = {
    'app.tsx': { imports: [now('button.tsx'), { path: 'view.tsx', kind: 'dynamic-import' }] },
    'button.tsx': { imports: [now('button.module.css'), now('app.tsx')] },
    'view.tsx': { imports: [now('view.module.css')] },
  }
  expect([...loadedAtOnce('app.tsx', inputs)]).toEqual(['app.tsx', 'button.tsx', 'button.module.css'])
})
