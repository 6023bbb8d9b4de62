import { withPart } from '../../../scripts/document-part.ts'
import type { Sources } from './sources.ts'
import { type Column, columns, type Mapping, toldBy } from './told.ts'

/** What the spans of each source tell; with `before`, what that mapping did not tell is marked. */
export function conventionsTable(sources: Sources, mapping: Mapping, before?: Mapping): string {
  const told = (name: string, by: Mapping): Set<Column> =>
    new Set(sources.get(name)!.flatMap((fixture) => [...toldBy(fixture, by)]))
  const rows = [...sources.keys()].map((name) => {
    const now = told(name, mapping)
    const earlier = before === undefined ? now : told(name, before)
    return [name, ...columns.map((column) => mark(now.has(column), earlier.has(column)))]
  })
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(['source', ...columns]), `|---|${columns.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

const mark = (isTold: boolean, wasTold: boolean): string => (isTold ? (wasTold ? '✓' : 'new') : wasTold ? 'lost' : '')

/** `document` with the table as it is now. */
export const withConventionsTable = (document: string, table: string): string =>
  withPart(document, { name: 'conventions', command: 'conventions-table' }, table)
