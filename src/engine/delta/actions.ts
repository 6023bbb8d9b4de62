import { v7 as uuid } from 'uuid'

/**
 * Actions of the Delta Lake transaction log that this store reads or writes. Source: Delta
 * Transaction Log Protocol, https://github.com/delta-io/delta/blob/master/PROTOCOL.md
 */
export interface Protocol {
  readonly protocol: {
    readonly minReaderVersion: number
    readonly minWriterVersion: number
    /** Present from reader version 3 and writer version 7. */
    readonly readerFeatures?: readonly string[]
    readonly writerFeatures?: readonly string[]
  }
}

export interface MetaData {
  readonly metaData: {
    readonly id: string
    readonly name?: string
    readonly description?: string
    readonly format: { readonly provider: string; readonly options?: Record<string, string> }
    /** The table's schema as JSON text. */
    readonly schemaString: string
    readonly partitionColumns: readonly string[]
    readonly configuration: Record<string, string>
    readonly createdTime?: number
  }
}

/** Where the row numbers deleted from a file are stored; see `deletion-vector.ts`. */
export interface DeletionVector {
  readonly storageType: string
  readonly pathOrInlineDv: string
  readonly offset?: number
  readonly sizeInBytes: number
  readonly cardinality: number
}

export interface Add {
  readonly add: {
    /** Relative to the table's folder, percent-encoded. */
    readonly path: string
    readonly partitionValues: Record<string, string>
    readonly size: number
    readonly modificationTime: number
    readonly dataChange: boolean
    /** `FileStatistics` as JSON text; other writers may omit it. */
    readonly stats?: string
    readonly tags?: Readonly<Record<string, string>>
    readonly deletionVector?: DeletionVector
  }
}

export interface Remove {
  readonly remove: {
    readonly path: string
    readonly deletionTimestamp?: number
    readonly dataChange: boolean
    readonly extendedFileMetadata?: boolean
    readonly partitionValues?: Record<string, string>
    readonly size?: number
    readonly tags?: Readonly<Record<string, string>>
    readonly deletionVector?: DeletionVector
  }
}

/**
 * Progress of an application that writes the table: here, the last WAL segment contained in the
 * data files.
 */
export interface Transaction {
  readonly txn: { readonly appId: string; readonly version: number; readonly lastUpdated?: number }
}

/** State of a table feature; preserved as is. */
export interface DomainMetadata {
  readonly domainMetadata: { readonly domain: string; readonly configuration: string; readonly removed: boolean }
}

export interface CommitInfo {
  readonly commitInfo: Record<string, unknown>
}

export type Action = Protocol | MetaData | Add | Remove | Transaction | DomainMetadata | CommitInfo

/** The `stats` of an add: row count and bounds. Timestamps are ISO 8601 with milliseconds. */
export interface FileStatistics {
  readonly numRecords: number
  readonly minValues: Record<string, string | number>
  readonly maxValues: Record<string, string | number>
  readonly nullCount: Record<string, number>
}

/** Identifies the writer and purpose of a commit. The id makes the text of every commit unique. */
export const commitInfo = (
  operation: string,
  operationParameters: Readonly<Record<string, unknown>>,
  nowMs: number,
): CommitInfo => ({
  commitInfo: { timestamp: nowMs, operation, operationParameters, engineInfo: 'tracelake', txnId: uuid() },
})

/** Application id under which the Delta log records the last commit that erased rows. */
export const erasureApplication = 'tracelake/erasure'

/** Part of a commit that erases rows. */
export const erasureAction = (version: number, nowMs: number): Transaction => ({
  txn: { appId: erasureApplication, version, lastUpdated: nowMs },
})
