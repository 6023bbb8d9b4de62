import type { ProjectReader } from '../../../foundation/access/caller.ts'

export interface DatasetRow {
  /** Ref of the row in its dataset; the row itself where the dataset has no refs to its rows. */
  readonly example: unknown
  readonly row: Readonly<Record<string, unknown>>
}

/** Reads the rows of datasets. */
export interface DatasetSource {
  /**
   * Rows in the order of the dataset, however many.
   *
   * @throws DomainError InvalidRequest where `ref` names no dataset; NotFound where there is none (any more)
   */
  rows(reader: ProjectReader, ref: string, signal: AbortSignal): AsyncIterable<DatasetRow>

  /** Number of rows. @throws DomainError as `rows` */
  count(reader: ProjectReader, ref: string): Promise<number>
}
