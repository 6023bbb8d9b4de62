import { describe, expect, test } from 'bun:test'
import { columnsOf, kindOf, previewOf, readTyped, rowOf } from './cells.ts'
import { tracksOf } from './column-layout.ts'
import {
  changesOf,
  countEdits,
  type Edits,
  isEmpty,
  noEdits,
  placeOf,
  rowAt,
  updatesOf,
  withCell,
  withoutRows,
  withRows,
} from './edits.ts'
import { cellsOfPaste, hasHead, pasteOfCells, planPaste } from './paste.ts'
import { diffRows } from './row-diff.ts'
import { readFilter } from './row-filter.ts'

const row = (index: number, value: string) => rowOf(index, `{"n":${value},"text":"row ${index}"}`)

describe('cells', () => {
  test.each([
    [undefined, 'missing'],
    ['null', 'null'],
    ['true', 'boolean'],
    ['-1.50', 'number'],
    ['"007"', 'text'],
    ['"ext:///acme/bot/call/0190-a"', 'call'],
    ['"data:image/png;base64,AA"', 'image'],
    ['[{"role":"user","content":"hi"}]', 'messages'],
    ['[{"role":1}]', 'json'],
    ['{"a":1}', 'json'],
  ] as const)('%p is %s', (text, kind) => expect(kindOf(text)).toBe(kind))

  test('numbers stay to the letter, and containers are folded to their first text', () => {
    expect(rowOf(0, '{"n": 12345678901234567890, "m": 1.50}').cells.get('n')).toBe('12345678901234567890')
    expect(previewOf('{"n":1,"id":"M20IZO"}', 'json')).toBe('{…} M20IZO')
    expect(previewOf('[1,2]', 'json')).toBe('[…] 2 items')
  })

  test('columns keep the order of the rows, and have the kind of most cells', () => {
    const rows = [row(0, '1'), row(1, 'null'), row(2, '2'), rowOf(3, '{"extra":true,"n":"x"}')]
    expect(columnsOf(rows).map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'n number',
      'text text',
      'extra boolean',
    ])
  })

  test.each([
    ['1e400', 'number', 'larger than a number can be'],
    ['two', 'number', '“two” is not a number'],
    ['yes', 'boolean', '“yes” is neither true nor false'],
    ['{\n  "a": }', 'json', 'line 2, column 8'],
  ] as const)('%p as %s is a fault', (typed, kind, words) => {
    expect(readTyped(typed, kind)).toEqual({ fault: expect.stringContaining(words) })
  })

  test('what is typed as text is text, whatever it looks like', () => {
    expect(readTyped('007', 'text')).toEqual({ json: '"007"' })
    expect(readTyped(' 1.50 ', 'number')).toEqual({ json: '1.50' })
  })
})

describe('edits', () => {
  /** The updates applied to the values of a table, as the server does. */
  const applied = (count: number, edits: Edits): string[] => {
    const table = Array.from({ length: count }, (_, index) => JSON.stringify({ n: index, text: `row ${index}` }))
    for (const update of updatesOf(edits, count)) {
      const { append, insert, pop } = JSON.parse(update)
      if (append) table.push(JSON.stringify(append.row))
      else if (insert) table.splice(insert.index, 0, JSON.stringify(insert.row))
      else table.splice(pop.index, 1)
    }
    return table.map((text) => String(JSON.parse(text).n))
  }
  const rows = [0, 1, 2, 3].map((index) => row(index, String(index)))

  test('become updates whose positions are those of the version', () => {
    let edits = withCell(noEdits, rows[1]!, 'n', { json: '"one"' })
    edits = withRows(edits, 1, [{ n: { json: '"after one"' } }, { n: { json: '"and another"' } }]).edits
    edits = withRows(edits, 3, [{ n: { json: '"last"' } }]).edits
    edits = withRows(edits, -1, [{ n: { json: '"first"' } }]).edits
    edits = withoutRows(edits, [rows[2]!], new Set())
    expect(applied(4, edits)).toEqual(['first', '0', 'one', 'after one', 'and another', '3', 'last'])
    expect(countEdits(edits)).toEqual({ added: 4, edited: 1, deleted: 1 })
  })

  test('of a table without rows are appended', () => {
    expect(applied(0, withRows(noEdits, -1, [{ n: { json: '1' } }]).edits)).toEqual(['1'])
  })

  test('back to what was stored are none', () => {
    const there = withCell(noEdits, rows[1]!, 'n', { json: '9' })
    expect(isEmpty(there)).toBe(false)
    expect(isEmpty(withCell(there, rows[1]!, 'n', { json: '1' }))).toBe(true)
  })

  test('give each place a row, and each row its place', () => {
    let { edits, ids } = withRows(noEdits, 1, [{}, {}])
    edits = withRows(edits, -1, [{}]).edits
    const shown = Array.from({ length: 7 }, (_, place) => rowAt(edits, place))
    expect(shown).toEqual([-4, 0, 1, ids[0]!, ids[1]!, 2, 3])
    expect(shown.map((id) => placeOf(edits, id))).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  test('are listed in the order of the rows, with the fault of a cell', () => {
    let edits = withoutRows(noEdits, [rows[3]!], new Set())
    edits = withCell(edits, rows[0]!, 'n', { typed: 'two', as: 'number', fault: '“two” is not a number' })
    expect(changesOf(edits)).toEqual([
      { id: 0, kind: 'edited', columns: ['n'], fault: { column: 'n', reason: '“two” is not a number' } },
      { id: 3, kind: 'deleted', columns: [], fault: undefined },
    ])
  })
})

describe('a paste', () => {
  test('keeps quotes, tabs, line breaks, empty cells and a leading “=”', () => {
    const copied = 'a\t"two\nlines"\t"say ""hi"""\r\n=SUM(A1)\t\t"tab\there"\r\n'
    expect(cellsOfPaste(copied)).toEqual([
      ['a', 'two\nlines', 'say "hi"'],
      ['=SUM(A1)', '', 'tab\there'],
    ])
    expect(cellsOfPaste('"open\tx')).toEqual([['"open', 'x']])
    expect(cellsOfPaste('a\t')).toEqual([['a', '']])
  })

  test('is what a copy of the cells gives', () => {
    const cells = [
      ['"two\\nlines"', '1.50', undefined],
      ['"=1"', 'null', '"a\\tb"'],
    ]
    expect(cellsOfPaste(pasteOfCells(cells))).toEqual([
      ['two\nlines', '1.50', ''],
      ['=1', '', 'a\tb'],
    ])
  })

  test('goes by the names in its head, and says what does not fit', () => {
    const columns = columnsOf([row(0, '1')])
    const cells = cellsOfPaste('text\tn\tnew\n=a\t2\tx\nb\ttwo\ty')
    expect(hasHead(cells, ['n', 'text'])).toBe(true)
    const plan = planPaste(cells, columns, { from: 0, withHead: true })
    expect(plan.newColumns).toEqual(['new'])
    expect(plan.faults).toBe(1)
    expect(plan.rows[0]).toEqual({ text: { json: '"=a"' }, n: { json: '2' }, new: { json: '"x"' } })
  })
})

describe('a filter', () => {
  const cells = rowOf(0, '{"passengers":10,"split":"test","note":"Refund is due"}').cells
  test.each([
    ['passengers > 9', true],
    ['passengers > 9 and split = train', false],
    ['SPLIT = test and refund', true],
    ['note ~ refund', true],
    ['split != ""', true],
    ['missing = 1', false],
    ['note = "Refund is due"', true],
  ])('%s', (text, expected) => {
    expect(readFilter(text, ['passengers', 'split', 'note', 'missing'])?.matches(cells, '')).toBe(expected)
  })

  test.each([
    ['split = train', ['passengers', 'split'], false],
    ['split = train:90', ['passengers'], true],
    ['split = test:10', ['passengers'], false],
    ['split != test:10', ['passengers'], true],
    ['passengers > 99 and split = train:90', ['passengers'], false],
  ])('%s with the columns %p', (text, columns, expected) => {
    // Its bucket is 80.
    expect(readFilter(text, columns)?.matches(cells, 'a')).toBe(expected)
  })

  test('of nothing is none', () => expect(readFilter('  ', [])).toBeUndefined())
})

test('a column may have the name of a prototype', () => {
  const columns = columnsOf([rowOf(0, '{"__proto__":"x","constructor":1}')])
  expect(tracksOf(columns, { widths: {}, hidden: [] }, 1).columns).toBe('36px 62px 84px 92px 1fr')
  const edits = withCell(noEdits, rowOf(0, '{"__proto__":"x"}'), '__proto__', { json: '"y"' })
  expect(updatesOf(edits, 1)).toEqual(['{"pop":{"index":0}}', '{"insert":{"index":0,"row":{"__proto__":"y"}}}'])
})

test('two versions differ in the rows that came, changed and went', () => {
  const rows = (texts: readonly string[]) => texts.map((text) => ({ digest: text, text }))
  const before = rows(['{"a":1,"b":"x"}', '{"a":2,"b":"y"}', '{"a":3,"b":"z"}', '{"a":4,"b":"z"}'])
  const after = rows(['{"a":1,"b":"x"}', '{"a":2,"b":"changed"}', '{"a":4,"b":"z"}', '{"a":5,"b":"w"}'])
  expect(diffRows(before, after).map(({ kind, left, right, columns }) => [kind, left, right, columns])).toEqual([
    ['edited', 1, 1, ['b']],
    ['deleted', 2, undefined, ['a', 'b']],
    ['added', undefined, 3, ['a', 'b']],
  ])
  expect(diffRows(before, before)).toEqual([])
})
