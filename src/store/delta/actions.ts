/**
 * Actions of the Delta Lake transaction log, as far as this store reads and writes them.
 * Source: the Delta Transaction Log Protocol, https://github.com/delta-io/delta/blob/master/PROTOCOL.md
 */
export interface Protocol {
  readonly protocol: { readonly minReaderVersion: number; readonly minWriterVersion: number }
}

export interface MetaData {
  readonly metaData: {
    readonly id: string
    readonly name: string
    readonly format: { readonly provider: 'parquet'; readonly options: Record<string, string> }
    /** JSON text of the table's schema. */
    readonly schemaString: string
    readonly partitionColumns: readonly string[]
    readonly configuration: Record<string, string>
    readonly createdTime: number
  }
}

export interface Add {
  readonly add: {
    /** Relative to the table's folder, percent-encoded. */
    readonly path: string
    readonly partitionValues: Record<string, string>
    readonly size: number
    readonly modificationTime: number
    readonly dataChange: boolean
    /** JSON text of `FileStatistics`. */
    readonly stats: string
    readonly tags?: Readonly<Record<string, string>>
  }
}

export interface Remove {
  readonly remove: {
    readonly path: string
    readonly deletionTimestamp: number
    readonly dataChange: boolean
    readonly extendedFileMetadata: true
    readonly partitionValues: Record<string, string>
    readonly size: number
  }
}

/** Progress of an application that writes the table: here, the last log segment that the table's files contain. */
export interface Transaction {
  readonly txn: { readonly appId: string; readonly version: number; readonly lastUpdated: number }
}

export interface CommitInfo {
  readonly commitInfo: Record<string, unknown>
}

export type Action = Protocol | MetaData | Add | Remove | Transaction | CommitInfo

/** `stats` of an add: row count and bounds. Timestamps are ISO 8601 in milliseconds. */
export interface FileStatistics {
  readonly numRecords: number
  readonly minValues: Record<string, string | number>
  readonly maxValues: Record<string, string | number>
  readonly nullCount: Record<string, number>
}
