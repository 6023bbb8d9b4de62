/**
 * Calls: writing, reading, searching, counting and following them. Other code imports this subject
 * through this file.
 */

export { pricedRelations } from './add-costs.ts'
export { Calls } from './calls.ts'
export { HeavyQuestions } from './clickhouse/heavy-questions.ts'
export { type ContentKeeping, ContentSink, exceedsLimits, keepContents } from './contents.ts'
export type { RefResolver } from './expand-refs.ts'
export { FieldFinder } from './exploration/call-fields.ts'
export { CallSearcher } from './exploration/call-search.ts'
export { ValueCounter } from './exploration/call-values.ts'
export { countableField } from './exploration/field-count.ts'
export { checkItems, RowsBound } from './export-bounds.ts'
export { CallIntake } from './intake/call-intake.ts'
export type { OpVersion, PreparedCalls, PreparedSpans } from './intake/intake-task.ts'
export { LiveCalls } from './live/live-calls.ts'
export { Messages } from './messages/messages.ts'
export { callsApi } from './operations/calls/index.ts'
export { callsReader } from './operations/calls/prepared-calls.ts'
export { payloadsApi } from './operations/payloads/index.ts'
export { Payloads } from './payloads/payloads.ts'
export { type CallsRequest, planPricedRows, planRows, relationsOf, tablesOf } from './plan.ts'
export { redacted, redactor } from './redact.ts'
export type { SpanBatch } from './span-batch.ts'
export type { StatedResponse } from './span-calls.ts'
export { countSpans, decodeSpans, type EncodedSpans, type EvaluationOfSpan, SpanMapper } from './span-calls.ts'
export { type CallWork, CallWriter, type ChangedCalls, type MovedCall } from './write-calls.ts'
