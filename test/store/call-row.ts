import { callsTable } from '../../src/engine/tables/calls-table.ts'
import type { Row } from '../../src/lib/table.ts'

/** A finished call, `at` seconds after a fixed time; `cells` replace those of the same columns. */
export function callRow(projectId: string, at: number, cells: Readonly<Record<string, string | number>> = {}): Row {
  const micros = 1.7e15 + at * 1e6
  const all: Record<string, string | number> = {
    project_id: projectId,
    id: `call-${at}`,
    trace_id: `trace-${at}`,
    op_name: 'op',
    started_at: micros,
    ended_at: micros + 1,
    attributes: '{}',
    inputs: '{}',
    summary: '{}',
    ext_user_id: 'user',
    written_at: micros,
    ...cells,
  }
  return callsTable.columns.map(({ name }) => all[name] ?? null)
}
