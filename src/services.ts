import type { Config } from './config.ts'
import type { Dialect } from './dialect/dialect.ts'
import { openEngine } from './features/evaluations/engine/open-engine.ts'
import { Evaluations } from './features/evaluations/evaluations.ts'
import { ModelCatalog } from './features/inference/model-catalog.ts'
import { LiveCalls } from './features/live/live-calls.ts'
import { openProviders } from './features/open-providers.ts'
import { TraceIngest } from './features/otel/trace-ingest.ts'
import { Refs } from './features/refs/refs.ts'
import { Runtimes } from './features/runtimes/runtimes.ts'
import { CallStatistics } from './features/stats/call-stats.ts'
import { Threads } from './features/threads/threads.ts'
import { ObjectBuilder } from './features/typed-objects/object-builder.ts'
import { TypedObjects } from './features/typed-objects/typed-objects.ts'
import { ProjectSizes } from './features/usage/project-sizes.ts'
import { Usage } from './features/usage/usage.ts'
import { Access } from './foundation/access/access.ts'
import { Geolocation } from './foundation/geolocation/geolocation.ts'
import { Health } from './foundation/health.ts'
import { Metrics } from './foundation/metrics/metrics.ts'
import type { Log } from './log.ts'
import type { Clock } from './platform/clock.ts'
import { AnnotationQueues } from './records/annotation-queues/annotation-queues.ts'
import { Calls } from './records/calls/calls.ts'
import { Costs } from './records/costs/costs.ts'
import { Feedback } from './records/feedback/feedback.ts'
import { Files } from './records/files/files.ts'
import { Idempotency } from './records/idempotency/idempotency.ts'
import { Jobs } from './records/jobs/jobs.ts'
import { findAnnotationSchema, Objects } from './records/objects/objects.ts'
import { RowTables } from './records/row-tables/row-tables.ts'
import { BlobStore } from './store/blobs/blob-store.ts'
import { blobsFolder } from './store/layout.ts'
import type { Store } from './store/store.ts'

/** Responses that are streamed while they are read from the store. */
export interface Streams {
  /**
   * Whether a stream should end if its client is not reading, because others are waiting for a
   * reader.
   */
  readonly shouldYield: () => boolean
}

/** What all services are made of. */
interface ServiceParts {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly store: Store
  /** What clients are answered in. */
  readonly dialect: Dialect
}

/** All services of the product. Nothing here knows HTTP. */
export type Services = Readonly<Awaited<ReturnType<typeof openServices>>['services']>

/** Wires up all services; `jobs` and `providers` are those that have to be stopped. */
export async function openServices({ config, log, clock, store, dialect }: ServiceParts) {
  const access = await Access.open({ dataFolder: config.data, adminKey: config.adminKey, clock, log })
  const blobs = await BlobStore.open({
    folder: blobsFolder(config.data),
    temporaryFile: () => store.temporaryFile('upload'),
  })
  const files = new Files({ store, blobs, clock })
  const costs = new Costs({ store, clock })
  const annotationQueues = new AnnotationQueues({ store, clock, dialect })
  const { privateHosts } = config
  const objects = new Objects({
    store,
    clock,
    privateHosts,
    dialect,
  })
  const rowTables = new RowTables({ store, clock })
  const refs = new Refs({ objects, tables: rowTables.reader })
  const jobs = new Jobs({ store, clock, log })
  const calls = new Calls({
    store,
    clock,
    dialect,
    redact: config.redact,
    contents: config.extractContents ? { files, dialect } : undefined,
    costs,
    usernames: () => access.usernames(),
    refs,
    work: jobs,
  })
  const feedback = new Feedback({
    store,
    clock,
    dialect,
    references: {
      findAnnotationSchema: (reader, ref) => findAnnotationSchema(objects, reader, ref),
      hasQueue: (reader, id) => annotationQueues.queues.has(reader, id),
    },
  })
  const builder = new ObjectBuilder({ objects, files, tables: rowTables, refs: dialect.refs })
  const providers = openProviders({ config, dialect, log, clock, calls: calls.writer, objects, files })
  const engine = openEngine({
    jobs,
    clock,
    dialect,
    calls,
    feedback,
    objects,
    tables: rowTables,
    completions: providers.completions,
    refs,
  })
  const live = new LiveCalls({
    store,
    nameOf: dialect.nameOf,
    log,
    clientsMax: config.liveClientsMax,
    clientsPerKeyMax: config.liveClientsPerKeyMax,
    eventsMax: config.liveEventsMax,
  })
  const traces = new TraceIngest({ calls: calls.writer, redact: config.redact, objects })
  const modelCatalog = await ModelCatalog.open(config.modelCatalogFile, clock)
  const services = {
    access,
    annotationQueues,
    calls,
    completions: providers.completions,
    costs,
    evaluations: new Evaluations({
      store,
      calls,
      costs,
      feedback,
      clock,
      dialect,
      builder,
      work: jobs,
    }),
    evaluationEngine: engine,
    feedback,
    typedObjects: new TypedObjects(builder),
    files,
    geolocation: new Geolocation(),
    callStatistics: new CallStatistics({ store, costs, clock }),
    idempotency: new Idempotency({ store, clock }),
    images: providers.images,
    modelCatalog,
    objects,
    projectSizes: new ProjectSizes({ store }),
    refs,
    runtimes: new Runtimes(objects),
    streams: streamsOf(store),
    tables: rowTables,
    threads: new Threads({ store }),
    traces,
    usage: new Usage({ store, costs }),
    live,
    metrics: new Metrics({ store, liveTails: () => live.listening, spans: traces.spans }),
    flush: () => store.flushAll(),
    health: new Health({ storeState: () => store.state() }),
  }
  return { services, jobs, providers }
}

const streamsOf = (store: Store): Streams => ({ shouldYield: () => store.shouldYieldReader() })
