import { objectsTable } from '../../../engine/tables/objects-table.ts'
import { tableRows } from '../../../engine/tables/stored-tables.ts'
import type { RowCheck } from '../../../engine/verify/verification.ts'
import { parseExactly } from '../../../formats/wire/exact-json.ts'
import { columnIndex, type Row, type Table } from '../../../lib/table.ts'
import { isDigestOfJson } from '../../../runtime/digest.ts'
import { withInternalRefs } from '../../records/refs-in-json.ts'

/**
 * For tables keyed by the digest of a JSON value: checks that the value still matches its digest.
 */
export const digestChecks: ReadonlyMap<string, RowCheck> = new Map(
  [objectsTable, tableRows].map((table) => [table.name, digestCheck(table)]),
)

function digestCheck(table: Table): RowCheck {
  const id = columnIndex(table, table.key[1])
  const [project, digest, val] = ['project_id', 'digest', 'val'].map((name) => columnIndex(table, name))
  return {
    columns: [table.key[1], 'digest', 'val'],
    brokenRow: (row: Row) => {
      // The content of a deleted version is gone.
      const text = row[val!]
      if (typeof text !== 'string' || isContentOf(row[digest!] as string, text)) return undefined
      return `${row[id]} of ${row[project!]}`
    },
  }
}

function isContentOf(digest: string, text: string): boolean {
  try {
    return isDigestOfJson(digest, withInternalRefs(parseExactly(text)))
  } catch {
    // Not JSON, or malformed refs: no digest was computed from that.
    return false
  }
}
