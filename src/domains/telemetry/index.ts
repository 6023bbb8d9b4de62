/**
 * OpenTelemetry: traces, logs and metrics as they arrive. Other code imports this subject through
 * this file.
 */

export { AgentSessions } from './agent-sessions.ts'
export { AgentTurns } from './agent-turns.ts'
export { LogIngest } from './log-ingest.ts'
export { LogReader } from './logs/read-logs.ts'
export { StoredEvents } from './logs/stored-events.ts'
export { MetricIngest } from './metric-ingest.ts'
export { MetricReader, MetricStatistics } from './metrics/metric-stats.ts'
export { logsApi, metricsApi } from './operations/index.ts'
export { toOtlpErrorResponse } from './operations/otel/error-response.ts'
export { createGrpcApp } from './operations/otel/grpc-app.ts'
export { otelApi } from './operations/otel/index.ts'
export { exportPaths } from './operations/otel/signals.ts'
export { EvaluationResults, SpanContents } from './span-contents.ts'
export { SpanOps } from './span-ops.ts'
export { TraceIngest } from './trace-ingest.ts'
