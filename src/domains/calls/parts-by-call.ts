import { callsTable } from '../../engine/tables/calls-table.ts'
import { mergeParts, type Row } from '../../lib/table.ts'

const { project_id: projectCell, id: idCell } = callsTable.at

/**
 * Parts of one request, merged by call: halves the log size for a start and an end sent together.
 */
export class PartsByCall {
  readonly rows: Row[] = []
  /**
   * By project, then id: joining both into one string would cost more than everything else here.
   */
  private readonly known = new Map<string, Map<string, Row>>()

  add(part: Row): void {
    const project = part[projectCell] as string
    const id = part[idCell] as string
    const rows = this.known.get(project) ?? new Map<string, Row>()
    const known = rows.get(id)
    if (known !== undefined) {
      mergeParts(callsTable, known, part)
      return
    }
    if (rows.size === 0) this.known.set(project, rows)
    rows.set(id, part)
    this.rows.push(part)
  }
}
