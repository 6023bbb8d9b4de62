import { MiB } from '../bytes.ts'

/** Limits of OpenTelemetry exports. */
export const telemetryLimits = {
  /** Spans, and log records, per OTLP export. */
  spansPerExportMax: 100_000,
  logRecordsPerExportMax: 100_000,
  /**
   * Protobuf messages and fields of an export, not counting spans; and those of one span, resource
   * or scope.
   */
  otlpFrameFieldsMax: 1_000_000,
  spanFieldsMax: 1_000_000,
  /**
   * Nesting depth of a JSON export, where each level of a value takes three; and of an attribute
   * value.
   */
  otlpJsonDepthMax: 1_000,
  attributeDepthMax: 50,
  /** An attribute with JSON text nested deeper than this is kept as text. */
  attributeTextDepthMax: 100,
  /** Dots in an attribute name that create levels; the rest of the name stays together. */
  attributeKeyDepthMax: 32,
  /** Bytes of the rows that one export may produce: each row carries a copy of its resource. */
  exportRowBytesMax: 192 * MiB,
  /** Span names for which one export looks up or creates an op, and names that are cached. */
  newOpsPerExportMax: 64,
  knownOpsMax: 10_000,
  /**
   * Names of members and attributes, and op refs, whose analysis is cached; longer ones are not.
   */
  cachedKeysMax: 10_000,
  /** Sets of attribute prefixes whose part of the convention tables is cached. */
  cachedPrefixSetsMax: 1_000,
  cachedKeyCharsMax: 128,
  /** Conversation spans that are remembered, and ancestors inspected to find the turn of a span. */
  turnSpansMax: 20_000,
  turnLevelsMax: 256,
  /** Responses of models that are remembered to find calls that state the same usage. */
  sameResponsesMax: 20_000,
  /** Calls beside the one that counts which are remembered of one response. */
  callsOfResponseMax: 16,
  /**
   * Events of coding agents that are remembered, where a kilobyte of a prompt counts as one more;
   * and events read back of one session.
   */
  agentEventsKeptMax: 50_000,
  eventsReadMax: 20_000,
  /** Sessions of which it is known whether their agent sends events. */
  agentSessionsKnownMax: 20_000,
  /** Data points of metrics per OTLP export, and buckets or quantiles of one point. */
  metricPointsPerExportMax: 100_000,
  metricBucketsMax: 4_096,
  /** Fields by which statistics of metrics are grouped, and metrics that one request may name. */
  metricGroupFieldsMax: 8,
  metricNamesMax: 100,
  /** Buckets and totals in one response. */
  metricStatsRowsMax: 50_000,
  /** Rejected spans named in the response to an export. */
  rejectionsNamedMax: 20,
} as const
