/**
 * OpenTelemetry: traces, logs and metrics as they arrive. Other code imports this subject through
 * this file.
 */

export { LogReader } from './logs/read-logs.ts'
export { MetricIngest } from './metric-ingest.ts'
export { MetricReader, MetricStatistics } from './metrics/metric-stats.ts'
export { openIngest } from './open-ingest.ts'
export { logsApi, metricsApi } from './operations/index.ts'
export { toOtlpErrorResponse } from './operations/otel/error-response.ts'
export { createGrpcApp, grpcFailureOf, grpcPaths } from './operations/otel/grpc-app.ts'
export { otelApi } from './operations/otel/index.ts'
export { exportPaths } from './operations/otel/signals.ts'
