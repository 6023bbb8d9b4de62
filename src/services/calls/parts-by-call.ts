import { mergeInto, type Row } from '../../model/table.ts'
import { at } from './calls-table.ts'

/** Parts of one request, those of the same call already merged: half the log for a start and an end that travel together. */
export class PartsByCall {
  readonly rows: Row[] = []
  private readonly byKey = new Map<string, Row>()

  add(part: Row): void {
    const key = `${part[at['project_id']!]}\n${part[at['id']!]}`
    const known = this.byKey.get(key)
    if (known !== undefined) {
      mergeInto(known, part)
      return
    }
    this.byKey.set(key, part)
    this.rows.push(part)
  }
}
