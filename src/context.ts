import type { Config } from './config.ts'
import { type Dialect, dialects } from './dialect/dialect.ts'
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
import { openSelfTracing, type SelfTracing } from './foundation/metrics/self-tracing.ts'
import type { Log } from './log.ts'
import { openStore } from './open-store.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { AnnotationQueues } from './records/annotation-queues/annotation-queues.ts'
import { Calls } from './records/calls/calls.ts'
import { Costs } from './records/costs/costs.ts'
import { Feedback } from './records/feedback/feedback.ts'
import { startBlobSweep } from './records/files/blob-sweep.ts'
import { Files } from './records/files/files.ts'
import { Idempotency } from './records/idempotency/idempotency.ts'
import { startKeySweep } from './records/idempotency/key-sweep.ts'
import { Jobs } from './records/jobs/jobs.ts'
import { Flushing } from './records/maintenance/flushing.ts'
import { findAnnotationSchema } from './records/objects/annotation-schema.ts'
import { Objects } from './records/objects/objects.ts'
import { RowTables } from './records/row-tables/row-tables.ts'
import type { Services } from './services.ts'
import { BlobStore } from './store/blobs/blob-store.ts'
import { blobsFolder } from './store/layout.ts'
import type { Store } from './store/store.ts'

/** Everything a running server owns. */
export interface Context {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly store: Store
  readonly services: Services
  /** What clients are answered in. */
  readonly dialect: Dialect
  readonly selfTracing: SelfTracing | undefined
  /** Releases everything in reverse order of opening. Call it once. */
  close(): Promise<void>
}

/**
 * Opens the data folder and wires up all services.
 *
 * @throws DataFolderInUse if another process has the folder open
 */
export async function openContext(config: Config, log: Log, clock: Clock = systemClock): Promise<Context> {
  const store = await openStore(config, log, clock)
  try {
    const access = await Access.open({ dataFolder: config.data, adminKey: config.adminKey, clock, log })
    const dialect = dialects[config.dialect]
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
    const services: Services = {
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
      streams: { shouldYield: () => store.shouldYieldReader() },
      tables: rowTables,
      threads: new Threads({ store }),
      traces,
      usage: new Usage({ store, costs }),
      live,
      metrics: new Metrics({ store, liveTails: () => live.listening, spans: traces.spans }),
      flushing: new Flushing(store),
      health: new Health({ storeState: () => store.state() }),
    }
    const selfTracing = config.otlpEndpoint === undefined ? undefined : await openSelfTracing(config.otlpEndpoint, log)
    const blobSweep = startBlobSweep(services.files, clock, log)
    const keySweep = startKeySweep(services.idempotency, log)
    await jobs.resume()
    const close = async () => {
      await jobs.stop()
      await providers.stop()
      services.live.close()
      await blobSweep.stop()
      await keySweep.stop()
      await store.close()
      await selfTracing?.stop()
    }
    return { config, log, clock, store, services, dialect, selfTracing, close }
  } catch (cause) {
    await store.close()
    throw cause
  }
}
