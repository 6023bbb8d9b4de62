import { MiB } from '../bytes.ts'

/** Limits of files that become datasets, and of what is told about them. */
export const datasetLimits = {
  /** Bytes of a text file from which types are guessed, and records at most. */
  sampleBytes: 8 * MiB,
  sampleRecords: 20_000,
  /** Rows shown of a sample. */
  shownRows: 7,
  /** Characters of a value in the answer of an inspection, and of the value of a fault. */
  shownCharsMax: 2_000,
  faultCharsMax: 200,
  /** Faults that are listed; all are counted. */
  faultsListed: 100,
  columnsMax: 10_000,
  /** Characters of one record of a text file. */
  recordCharsMax: 16 * MiB,
  /** Bytes of the form field with the options, which may name thousands of columns. */
  optionBytesMax: 4 * MiB,
  /** Rows of a dataset that is compared with another. */
  diffRowsMax: 5_000_000,
  /** Changes in an answer: by default, and at most. */
  diffPageDefault: 100,
  diffPageMax: 1_000,
  /** Comparisons whose pairs are kept for the next page, and the changes of one that is kept. */
  diffsKept: 8,
  diffKeptChangesMax: 250_000,
  /** Rows of one call that are looked for, and datasets in which they are. */
  rowsOfCallMax: 20,
  datasetsOfCallMax: 500,
  /** Blocks of rows that an import reads until their garbage, some 10 MB each, is collected. */
  blocksPerCollection: 8,
  /** Memory of DuckDB for one Parquet file that is read or written. */
  parquetMemoryBytes: 192 * MiB,
  /** Files that are imported, inspected or exported at a time. */
  filesAtOnce: 2,
} as const
