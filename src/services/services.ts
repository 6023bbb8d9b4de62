import type { Access } from './access/access.ts'
import type { AnnotationQueues } from './annotation-queues/annotation-queues.ts'
import type { Calls } from './calls/calls.ts'
import type { Completions } from './completions/completions.ts'
import type { Costs } from './costs/costs.ts'
import type { EvaluationEngine } from './evaluation-engine/engine.ts'
import type { Evaluations } from './evaluations/evaluations.ts'
import type { Families } from './families/families.ts'
import type { Feedback } from './feedback/feedback.ts'
import type { Files } from './files/files.ts'
import type { Flushing } from './flushing.ts'
import type { Geolocation } from './geolocation.ts'
import type { Health } from './health.ts'
import type { Idempotency } from './idempotency/idempotency.ts'
import type { Images } from './images/images.ts'
import type { ModelCatalog } from './inference/model-catalog.ts'
import type { LiveCalls } from './live/live-calls.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Objects } from './objects/objects.ts'
import type { TraceIngest } from './otel/trace-ingest.ts'
import type { Refs } from './refs/refs.ts'
import type { RowTables } from './row-tables/row-tables.ts'
import type { Runtimes } from './runtimes/runtimes.ts'
import type { CallStatistics } from './stats/call-stats.ts'
import type { Threads } from './threads/threads.ts'
import type { ProjectSizes } from './usage/project-sizes.ts'
import type { Usage } from './usage/usage.ts'

/** Answers that are handed on while they are read. */
export interface Streams {
  /** Whether one whose client takes nothing is to end, because others wait. Whoever is told so ends it. */
  readonly mustEnd: () => boolean
}

/** What the product does, one member per resource. Knows nothing of HTTP. */
export interface Services {
  readonly access: Access
  readonly annotationQueues: AnnotationQueues
  readonly calls: Calls
  readonly callStatistics: CallStatistics
  readonly completions: Completions
  readonly costs: Costs
  readonly evaluations: Evaluations
  readonly evaluationEngine: EvaluationEngine
  readonly families: Families
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
