import type { ProjectReader } from '../../access/index.ts'

export interface DatasetRow {
  /** Ref of the row in its dataset; the row itself if the dataset has no row refs. */
  readonly example: unknown
  readonly row: Readonly<Record<string, unknown>>
}

/** Reads the rows of datasets. */
export interface DatasetSource {
  /**
   * Rows in dataset order, streamed.
   *
   * @throws DomainError InvalidRequest if `ref` is not a dataset ref; NotFound if the dataset does
   *   not exist
   */
  rows(reader: ProjectReader, ref: string, signal: AbortSignal): AsyncIterable<DatasetRow>

  /**
   * Number of rows of a dataset as an evaluation names it: by a ref, or with the dataset or its
   * rows in place of one.
   *
   * @throws DomainError as `rows`
   */
  count(reader: ProjectReader, dataset: unknown): Promise<number>
}
