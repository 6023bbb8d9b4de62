/** Rows with their digests, and their JSON as UTF-8: they can be stored without being read. */
export interface PrintedRows {
  readonly digests: readonly string[]
  readonly bytes: Buffer
  /** Where the JSON of a row begins (`i`) and ends (`i + 1`). */
  readonly offsets: Int32Array
}
