import { MiB } from '../bytes.ts'

/**
 * Limits of memory, and how they follow from `TRACELAKE_MEMORY_MB`. See
 * docs/decisions/301-limits-follow-from-memory.md.
 */
export const memoryLimits = {
  /** `TRACELAKE_MEMORY_MB`: the least, and by default this share of the machine's, at most. */
  bytesMin: 128 * MiB,
  bytesDefaultMax: 1024 * MiB,
  shareOfMachine: 1 / 4,
  /**
   * A memtable of this share of it is flushed to Parquet, within limits. DuckDB takes half as much
   * again for it, and the next one may grow to twice the size meanwhile.
   */
  memtableShare: 1 / 8,
  memtableBytesMin: 16 * MiB,
  memtableBytesMax: 128 * MiB,
  /**
   * Texts of all bodies in flight: this share of it, but at least so many bodies of the maximum
   * size. One key may use half of them.
   */
  bodyTextShare: 1 / 4,
  bodyTextBytesMax: 256 * MiB,
  bodyTextBodiesMin: 4,
  /** Values parsed from them, by an estimate; one key may use half of them. */
  bodyValueShare: 1 / 2,
  bodyValueBytesMax: 512 * MiB,
  /**
   * Blocks of key groups, this share of it within limits; and as much for Bloom filters of files in
   * no group.
   */
  filterShare: 1 / 16,
  filterBytesMin: 8 * MiB,
  filterBytesMax: 64 * MiB,
  /**
   * DuckDB keeps the footer of one Parquet file for each so many bytes of it. A footer takes 1.7 MB
   * in memory if the file has 32 row groups, 3.3 with 64.
   */
  bytesPerKeptFooter: 8 * MiB,
  /** There is a thread that prepares rows for each so many bytes of it. */
  bytesPerIntakeThread: 128 * MiB,
} as const

/**
 * Bytes for `TRACELAKE_MEMORY_MB` where it is not set: whole MiB.
 *
 * @param machineBytes the memory that the process may use
 */
export const defaultMemoryBytes = (machineBytes: number): number =>
  MiB *
  Math.floor(
    within(machineBytes * memoryLimits.shareOfMachine, memoryLimits.bytesMin, memoryLimits.bytesDefaultMax) / MiB,
  )

/** The bytes of rows at which a memtable is flushed. */
export const memtableBytes = (memoryBytes: number): number =>
  within(memoryBytes * memoryLimits.memtableShare, memoryLimits.memtableBytesMin, memoryLimits.memtableBytesMax)

/** The bytes of blocks of key groups in memory, and those of Bloom filters of files in no group. */
export const filterBytes = (memoryBytes: number): number =>
  within(memoryBytes * memoryLimits.filterShare, memoryLimits.filterBytesMin, memoryLimits.filterBytesMax)

/** Of how many Parquet files DuckDB keeps the footers in memory. */
export const footersKept = (memoryBytes: number): number => Math.floor(memoryBytes / memoryLimits.bytesPerKeptFooter)

/** The bytes of request bodies, and of the values parsed from them, of all keys together. */
export const bodyBytes = (
  memoryBytes: number,
  bodyBytesMax: number,
): { readonly texts: number; readonly values: number } => ({
  texts: Math.max(
    memoryLimits.bodyTextBodiesMin * bodyBytesMax,
    Math.min(memoryLimits.bodyTextBytesMax, memoryBytes * memoryLimits.bodyTextShare),
  ),
  values: Math.min(memoryLimits.bodyValueBytesMax, memoryBytes * memoryLimits.bodyValueShare),
})

/** How many threads may prepare rows, unless there are fewer processors. */
export const intakeThreads = (memoryBytes: number, threadsMax: number): number =>
  Math.min(threadsMax, Math.max(1, Math.floor(memoryBytes / memoryLimits.bytesPerIntakeThread)))

const within = (bytes: number, min: number, max: number): number => Math.min(max, Math.max(min, bytes))
