import type { Row } from '../../../src/lib/table.ts'
import { NotesModel } from '../../store/notes-model.ts'
import { closedNote } from '../../store/notes-table.ts'
import type { VisibleRow } from '../../store/visible-rows.ts'

export const projects = ['p', 'q'] as const

/** One request: its rows and, among them, a marker that nothing else touches. */
export interface Batch {
  readonly marker: string
  readonly rows: readonly Row[]
  /**
   * `refused`: answered with an error. `unanswered`: the process died first. Both may be there
   * after the process has died, but completely or not at all.
   */
  state: 'acknowledged' | 'refused' | 'unanswered'
}

/** Everything that was sent to a store and how it was answered: what readers must see. */
export class Oracle {
  private batches: Batch[] = []
  private count: number

  /** @param from number of the first marker */
  constructor(from = 0) {
    this.count = from
  }

  /** Adds a batch that another process has sent. */
  add(batch: Batch): void {
    this.batches.push(batch)
  }

  /** A batch of these rows with a marker. It is unanswered until its state is set. */
  begin(rows: readonly Row[]): Batch {
    const marker = `marker-${this.count++}`
    const batch: Batch = { marker, rows: [...rows, closedNote(marker, { body: `"${marker}"` })], state: 'unanswered' }
    this.batches.push(batch)
    return batch
  }

  /** What a reader sees of a project while the process lives. */
  visible(project: string): VisibleRow[] {
    const model = new NotesModel()
    for (const { rows, state } of this.batches) if (state === 'acknowledged') for (const row of rows) model.write(row)
    return model.visible(project)
  }

  /**
   * After the process has died: takes the batches that were not acknowledged, and whose marker is
   * there, as acknowledged, and forgets the others.
   */
  settle(visible: readonly VisibleRow[]): void {
    const shown = new Set(visible.map(({ id }) => String(id)))
    for (const batch of this.batches) if (shown.has(batch.marker)) batch.state = 'acknowledged'
    this.batches = this.batches.filter(({ state }) => state === 'acknowledged')
  }
}
