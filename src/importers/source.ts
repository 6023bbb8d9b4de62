import type { ImportRecord, OtlpJson } from './record.ts'

/** The user's selection of data to import. */
export interface ImportInput {
  /** A file, a folder or an address. */
  readonly place: string
  /** The key of a source that is a server; undefined if none was given. */
  readonly key: string | undefined
  /** The project, experiment or space within the source; undefined for all. */
  readonly select: string | undefined
  /** `entity/project` that the records go to. */
  readonly project: string
}

/**
 * A piece of a source that can be skipped once it has been imported: a file, a page, a database.
 * Its records always come in the same order, so an interrupted import continues at the same one.
 */
export interface Part {
  /** Unique within the source; `attributes.import.file` of calls. */
  readonly name: string
  /** Changes whenever the records may have changed. */
  readonly version: string
  records(): AsyncGenerator<ImportRecord>
}

/** A program or format that traces can be imported from. */
export interface Source {
  readonly name: string
  /** Description in `tracelake import --help`. */
  readonly summary: string
  /** Default folder of its files. */
  defaultPlace?(): string
  parts(input: ImportInput): AsyncGenerator<Part>
  /** Detects sessions that already sent telemetry; these are not imported. */
  readonly telemetry?: TelemetryOfSessions
}

/** Telemetry of a coding agent, whose sessions are threads. */
export interface TelemetryOfSessions {
  /** `agent_name` of calls made of its events. */
  readonly agentName: string
  /** How the names of the libraries of its spans begin. */
  readonly scopePrefix: string
}

/** Where a call comes from, as `attributes.import` shows it. */
export interface Origin {
  readonly source: string
  /** Version of the program that wrote it. */
  readonly version: string
  readonly file: string
}

/**
 * Attributes that the server turns into `attributes.import` of the call that a span becomes, in
 * OTLP's JSON encoding.
 */
export const originAttributes = (origin: Origin): readonly OtlpJson[] =>
  originEntries(origin).map(([key, text]) => ({ key, value: { stringValue: text } }))

/** The same as names and texts. */
export const originEntries = ({ source, version, file }: Origin): readonly (readonly [string, string])[] => [
  ['ext.attributes.import.source', source],
  ['ext.attributes.import.version', version],
  ['ext.attributes.import.file', file],
]
