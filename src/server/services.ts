import { Access, Logins, OpenId, SecretStore } from '../domains/access/index.ts'
import { StorageUsage } from '../domains/admin/index.ts'
import { Agents } from '../domains/agents/index.ts'
import { AuditLog } from '../domains/audit/index.ts'
import {
  CallIntake,
  CallSearcher,
  Calls,
  CallWriter,
  exceedsLimits,
  FieldFinder,
  HeavyQuestions,
  LiveCalls,
  Messages,
  Payloads,
  ValueCounter,
} from '../domains/calls/index.ts'
import { ModelCatalog, openProviders, Runtimes } from '../domains/completions/index.ts'
import { Costs } from '../domains/costs/index.ts'
import { Datasets } from '../domains/datasets/index.ts'
import { Evaluations, JudgeChecks, Leaderboards, openEngine } from '../domains/evaluations/index.ts'
import { Feedback } from '../domains/feedback/index.ts'
import { Files } from '../domains/files/index.ts'
import { Jobs } from '../domains/jobs/index.ts'
import { findAnnotationSchema, ObjectBuilder, Objects, Refs, TypedObjects } from '../domains/objects/index.ts'
import { Projects } from '../domains/projects/index.ts'
import { AnnotationQueues } from '../domains/queues/index.ts'
import { Idempotency, type Streams } from '../domains/requests/index.ts'
import { Erasures, Expiry, Retention, RetentionPreviews } from '../domains/retention/index.ts'
import { openRules } from '../domains/rules/index.ts'
import { SharedLinks } from '../domains/sharing/index.ts'
import { SqlRunner } from '../domains/sql/index.ts'
import { RowTables } from '../domains/tables/index.ts'
import { LogReader, MetricIngest, MetricReader, MetricStatistics, openIngest } from '../domains/telemetry/index.ts'
import { Threads, Traces } from '../domains/traces/index.ts'
import { CallStatistics, ObjectUseCounts, ProjectSizes, Usage } from '../domains/usage/index.ts'
import { BlobStore } from '../engine/blobs/blob-store.ts'
import type { Store } from '../engine/store.ts'
import type { Dialect } from '../formats/dialect/dialect.ts'
import { retentionLimits } from '../lib/limits/retention.ts'
import { ClickHouseServer } from '../runtime/clickhouse/clickhouse-server.ts'
import type { Config } from '../runtime/config/configuration.ts'
import { Geolocation } from '../runtime/geolocation/geolocation.ts'
import type { Log } from '../runtime/log.ts'
import type { Clock } from '../runtime/platform/clock.ts'
import { absolutePath, joinPath } from '../runtime/platform/files/paths.ts'
import { Health } from './health.ts'
import { Metrics } from './metrics/metrics.ts'
import { freshFiles } from './node/fresh-files.ts'
import { type CachedLake, openBlobs } from './open-blobs.ts'
import { openDocuments } from './open-documents.ts'
import type { OpenedParts } from './opened-parts.ts'

/** Components that all services are built from. */
interface ServiceParts {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly store: Store
  /** Where the data is, if it is not in the data folder. */
  readonly lake: CachedLake | undefined
  /** The dialect of responses. */
  readonly dialect: Dialect
  /** Receives everything that has to be closed, as soon as it is open. */
  readonly opened: OpenedParts
}

/** All services of the product. Nothing here knows HTTP. */
export type Services = Readonly<Awaited<ReturnType<typeof openServices>>['services']>

/** Wires up all services. */
export async function openServices({ config, log, clock, store, lake, dialect, opened }: ServiceParts) {
  const { documents, sealingKey } = await openDocuments(config, lake)
  const diskFolder = absolutePath(config.data)
  const access = await Access.open({ documents, adminKey: config.adminKey, clock, log })
  opened.add('access', () => access.close())
  const openId =
    config.oidc === null
      ? undefined
      : new OpenId({ settings: config.oidc, accounts: access.accounts, key: sealingKey, clock, log })
  const blobs = new BlobStore({
    place: await openBlobs(config, clock, lake),
    temporaryFile: () => store.temporaryFile('upload'),
    refuseIfShort: () => store.refuseContentIfShort(),
  })
  const files = new Files({ store, blobs, clock })
  const costs = new Costs({ store, clock })
  const heavy = new HeavyQuestions(ClickHouseServer.of(config, log))
  const annotationQueues = AnnotationQueues.over({ store, clock, dialect, heavy })
  const { privateHosts } = config
  const objects = new Objects({ store, clock, privateHosts, dialect })
  const rowTables = new RowTables({ store, clock })
  const refs = new Refs({ objects, tables: rowTables.reader })
  const jobs = new Jobs({ store, clock, log })
  opened.add('jobs', () => jobs.stop())
  const retention = await Retention.open({ store, clock })
  const marker = config.stripLarge ? exceedsLimits(dialect) : undefined
  const calls = new Calls(
    { store, dialect, costs, usernames: () => access.usernames(), refs, retention, heavy },
    new CallWriter({
      store,
      clock,
      redact: config.redact,
      contents: config.extractContents ? { files, dialect } : undefined,
      marker,
      work: jobs,
    }),
  )
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
  const datasets = new Datasets({ store, builder })
  const secretStore = new SecretStore({ documents, key: sealingKey, clock })
  const providers = openProviders({ config, secretStore, dialect, log, clock, calls: calls.writer, objects, files })
  opened.add('providers', () => providers.stop())
  const { engine, runList, runRows } = openEngine({
    jobs,
    store,
    costs,
    clock,
    log,
    dialect,
    calls,
    feedback,
    objects,
    tables: rowTables,
    completions: providers.completions,
    refs,
  })
  opened.add('runFigures', () => runList.stop())
  const live = new LiveCalls({
    store,
    log,
    clientsMax: config.liveClientsMax,
    clientsPerKeyMax: config.liveClientsPerKeyMax,
    eventsMax: config.liveEventsMax,
  })
  opened.add('live', () => live.close())
  const { redact, extractContents: keepsContents, memoryBytesMax: memoryBytes } = config
  const intake = new CallIntake({ dialect: dialect.name, redact, keepsContents, memoryBytes, marker, clock, log })
  opened.add('intake', () => intake.close())
  store.yieldReadersTo(() => intake.isBehind)
  const { traces, logIngest, ops } = openIngest({
    store,
    clock,
    dialect,
    redact,
    calls: calls.writer,
    objects,
    feedback,
    intake,
  })
  const callStatistics = new CallStatistics({ store, costs, clock, heavy })
  const rules = openRules({
    config,
    store,
    clock,
    log,
    secretStore,
    engine,
    jobs,
    queues: annotationQueues,
    callStatistics,
    feedback,
  })
  opened.add('rules', () => rules.stop())
  const modelCatalog = await ModelCatalog.open(config.modelCatalogFile, clock)
  const evaluationsOver = (parts: { calls: Calls; feedback: Feedback; dialect: Dialect }) =>
    new Evaluations({ ...parts, store, costs, clock, builder, runList, runRows, work: jobs })
  const audit = new AuditLog({
    store,
    clock,
    log,
    withReads: config.audit.withReads,
    withAddresses: config.audit.withAddresses,
    keptMs: config.audit.keptMs,
  })
  opened.add('audit', () => audit.close())
  const expiry = new Expiry({ store, retention, clock, log })
  opened.add('expiry', () => expiry.stop())
  const sharedLinks = await SharedLinks.open({ documents, access, clock, log })
  const erasures = new Erasures({
    store,
    clock,
    jobs,
    rules,
    retention,
    forget: async (projectId) => {
      ops.forget(projectId)
      await sharedLinks.forget(projectId)
    },
  })
  // Erasures that wait for the start would keep the jobs from stopping.
  opened.add('erasures', () => erasures.start())
  const services = {
    access,
    audit,
    agents: new Agents({ store, costs, clock, dialect }),
    annotationQueues,
    calls,
    completions: providers.completions,
    costs,
    datasets,
    evaluations: evaluationsOver({ calls, feedback, dialect }),
    evaluationEngine: engine,
    evaluationRunList: runList,
    judgeChecks: new JudgeChecks({ store }),
    leaderboards: new Leaderboards({ store, runs: runList, objects }),
    feedback,
    typedObjects: new TypedObjects(builder),
    files,
    geolocation: new Geolocation(),
    callFields: new FieldFinder({ store, costs, dialect }),
    callSearch: new CallSearcher({ store, dialect, heavy }),
    callStatistics,
    callValues: new ValueCounter({ store, costs }),
    idempotency: new Idempotency({ store, clock }),
    intake,
    images: providers.images,
    messages: new Messages({ store }),
    payloads: new Payloads({ store }),
    modelCatalog,
    objects,
    objectUses: new ObjectUseCounts({ store, clock }),
    projects: new Projects({ store, statistics: callStatistics, clock }),
    projectSizes: new ProjectSizes({ store }),
    refs,
    runtimes: new Runtimes(objects),
    jobs,
    rules,
    retention,
    retentionPreviews: new RetentionPreviews({ store, clock }),
    expiry,
    erasures,
    erasedWithinMs: config.versionsKeptMs + retentionLimits.erasedWithinMs,
    secrets: secretStore,
    sharedLinks,
    storage: new StorageUsage({ store, clock, place: lake?.store.place ?? diskFolder, diskFolder }),
    streams: streamsOf(store),
    tables: rowTables,
    threads: new Threads({ store, costs, heavy }),
    sql: new SqlRunner({
      dataFolder: diskFolder,
      temporaryFolder: joinPath(diskFolder, 'tmp'),
      ...(store.lake && { prepare: freshFiles(store, store.lake) }),
    }),
    traces,
    traceTrees: new Traces({ store, costs }),
    usage: new Usage({ store, costs, heavy }),
    live,
    logs: new LogReader({ store, dialect }),
    logIngest,
    metricIngest: new MetricIngest({ store, clock, redact: config.redact }),
    metricPoints: new MetricReader({ store, dialect }),
    metricStatistics: new MetricStatistics({ store, clock, dialect }),
    logins: await Logins.open({ documents, access, openId, clock, log }),
    metrics: new Metrics({
      store,
      liveTails: () => live.listening,
      spans: traces.spans,
      logRecords: logIngest.records,
      lake: lake?.counts,
    }),
    flush: () => store.flushAll(),
    health: new Health({ storeState: () => store.state() }),
  }
  /**
   * The same services, answering in other names. What they write for clients stays in the dialect
   * of the server: the SDKs that read it expect that.
   */
  const inNames = (other: Dialect): typeof services => {
    const named = { calls: calls.inNames(other), feedback: feedback.inNames(other) }
    return {
      ...services,
      ...named,
      agents: new Agents({ store, costs, clock, dialect: other }),
      annotationQueues: annotationQueues.inNames(other),
      callFields: new FieldFinder({ store, costs, dialect: other }),
      callSearch: new CallSearcher({ store, dialect: other, heavy }),
      logs: new LogReader({ store, dialect: other }),
      metricPoints: new MetricReader({ store, dialect: other }),
      metricStatistics: new MetricStatistics({ store, clock, dialect: other }),
      evaluations: evaluationsOver({ ...named, dialect: { ...dialect, nameOf: other.nameOf } }),
    }
  }
  return { services, inNames, jobs }
}

const streamsOf = (store: Store): Streams => ({ shouldYield: () => store.shouldYieldReader() })
