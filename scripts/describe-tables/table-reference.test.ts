import { expect, test } from 'bun:test'
import { tables } from '../../src/engine/tables/tables.ts'
import { withTableReference } from './table-reference.ts'

const marked = (text: string) =>
  `# Before\n<!-- tables: begin; "scripts/bun run describe-tables" writes this part -->${text}<!-- tables: end -->\nAfter`

test('every table and stored column is described, and nothing else changes', () => {
  const described = withTableReference(marked('STALE'))
  for (const { name, columns } of tables) {
    expect(described).toContain(`### \`${name}\`\n`)
    for (const column of columns) {
      if (column.storedIn !== 'wal') expect(described).toContain(`| \`${column.name}\` |`)
    }
  }
  expect(described).not.toContain('STALE')
  expect(described).toStartWith('# Before\n')
  expect(described).toEndWith('\nAfter')
  expect(withTableReference(described)).toBe(described)
})

test('a document without the markers is rejected', () => {
  expect(() => withTableReference('# Tables')).toThrow('Write the part tables: the lines "<!-- tables: begin')
})
