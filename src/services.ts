import type { Completions } from './features/completions/completions.ts'
import type { EvaluationEngine } from './features/evaluations/engine/engine.ts'
import type { Evaluations } from './features/evaluations/evaluations.ts'
import type { Images } from './features/images/images.ts'
import type { ModelCatalog } from './features/inference/model-catalog.ts'
import type { LiveCalls } from './features/live/live-calls.ts'
import type { TraceIngest } from './features/otel/trace-ingest.ts'
import type { Refs } from './features/refs/refs.ts'
import type { Runtimes } from './features/runtimes/runtimes.ts'
import type { CallStatistics } from './features/stats/call-stats.ts'
import type { Threads } from './features/threads/threads.ts'
import type { TypedObjects } from './features/typed-objects/typed-objects.ts'
import type { ProjectSizes } from './features/usage/project-sizes.ts'
import type { Usage } from './features/usage/usage.ts'
import type { Access } from './foundation/access/access.ts'
import type { Geolocation } from './foundation/geolocation/geolocation.ts'
import type { Health } from './foundation/health.ts'
import type { Metrics } from './foundation/metrics/metrics.ts'
import type { AnnotationQueues } from './records/annotation-queues/annotation-queues.ts'
import type { Calls } from './records/calls/calls.ts'
import type { Costs } from './records/costs/costs.ts'
import type { Feedback } from './records/feedback/feedback.ts'
import type { Files } from './records/files/files.ts'
import type { Idempotency } from './records/idempotency/idempotency.ts'
import type { Flushing } from './records/maintenance/flushing.ts'
import type { Objects } from './records/objects/objects.ts'
import type { RowTables } from './records/row-tables/row-tables.ts'

/** Responses that are streamed while they are read from the store. */
export interface Streams {
  /**
   * Whether a stream should end if its client is not reading, because others are waiting for a
   * reader.
   */
  readonly shouldYield: () => boolean
}

/** All services of the product. Nothing here knows HTTP. */
export interface Services {
  readonly access: Access
  readonly annotationQueues: AnnotationQueues
  readonly calls: Calls
  readonly callStatistics: CallStatistics
  readonly completions: Completions
  readonly costs: Costs
  readonly evaluations: Evaluations
  readonly evaluationEngine: EvaluationEngine
  readonly typedObjects: TypedObjects
  readonly feedback: Feedback
  readonly files: Files
  readonly geolocation: Geolocation
  readonly flushing: Flushing
  readonly health: Health
  readonly idempotency: Idempotency
  readonly images: Images
  readonly modelCatalog: ModelCatalog
  readonly objects: Objects
  readonly projectSizes: ProjectSizes
  readonly refs: Refs
  readonly runtimes: Runtimes
  readonly streams: Streams
  readonly tables: RowTables
  readonly live: LiveCalls
  readonly metrics: Metrics
  readonly threads: Threads
  readonly traces: TraceIngest
  readonly usage: Usage
}
