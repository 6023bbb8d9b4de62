import type { Config } from './config/configuration.ts'
import type { Dialect } from './dialect/dialect.ts'
import { StorageUsage } from './features/admin/storage-usage.ts'
import { Agents } from './features/agents/agents.ts'
import { openEngine } from './features/evaluations/engine/open-engine.ts'
import { Evaluations } from './features/evaluations/evaluations.ts'
import { FieldFinder } from './features/exploration/call-fields.ts'
import { CallSearcher } from './features/exploration/call-search.ts'
import { ValueCounter } from './features/exploration/call-values.ts'
import { ModelCatalog } from './features/inference/model-catalog.ts'
import { LiveCalls } from './features/live/live-calls.ts'
import { Messages } from './features/messages/messages.ts'
import { openProviders } from './features/open-providers.ts'
import { AgentSessions } from './features/otel/agent-sessions.ts'
import { AgentTurns } from './features/otel/agent-turns.ts'
import { EvaluationResults } from './features/otel/evaluation-results.ts'
import { LogIngest } from './features/otel/log-ingest.ts'
import { MetricIngest } from './features/otel/metric-ingest.ts'
import { SpanContents } from './features/otel/span-contents.ts'
import { SpanOps } from './features/otel/span-ops.ts'
import { TraceIngest } from './features/otel/trace-ingest.ts'
import { Payloads } from './features/payloads/payloads.ts'
import { Projects } from './features/projects/projects.ts'
import { Refs } from './features/refs/refs.ts'
import { Erasures } from './features/retention/erasures.ts'
import { Expiry } from './features/retention/expiry.ts'
import { openRules } from './features/rules/open-rules.ts'
import { Runtimes } from './features/runtimes/runtimes.ts'
import { SqlRunner } from './features/sql/sql-runner.ts'
import { CallStatistics } from './features/stats/call-stats.ts'
import { MetricStatistics } from './features/stats/metric-stats.ts'
import { Threads } from './features/threads/threads.ts'
import { Traces } from './features/traces/traces.ts'
import { ObjectBuilder } from './features/typed-objects/object-builder.ts'
import { TypedObjects } from './features/typed-objects/typed-objects.ts'
import { ProjectSizes } from './features/usage/project-sizes.ts'
import { Usage } from './features/usage/usage.ts'
import { Access } from './foundation/access/access.ts'
import { Geolocation } from './foundation/geolocation/geolocation.ts'
import { Health } from './foundation/health.ts'
import { Metrics } from './foundation/metrics/metrics.ts'
import { OpenId } from './foundation/oidc/open-id.ts'
import type { OpenedParts } from './foundation/opened-parts.ts'
import { SecretStore } from './foundation/secrets/secret-store.ts'
import { Logins } from './foundation/sessions/logins.ts'
import { limits } from './limits.ts'
import type { Log } from './log.ts'
import type { Clock } from './platform/clock.ts'
import { absolutePath, joinPath } from './platform/paths.ts'
import { AnnotationQueues } from './records/annotation-queues/annotation-queues.ts'
import { AuditLog } from './records/audit/audit-log.ts'
import { Calls } from './records/calls/calls.ts'
import { CallIntake } from './records/calls/intake/call-intake.ts'
import { exceedsLimits } from './records/calls/strip-large.ts'
import { CallWriter } from './records/calls/write-calls.ts'
import { Costs } from './records/costs/costs.ts'
import { Feedback } from './records/feedback/feedback.ts'
import { Files } from './records/files/files.ts'
import { Idempotency } from './records/idempotency/idempotency.ts'
import { Jobs } from './records/jobs/jobs.ts'
import { LogReader } from './records/logs/read-logs.ts'
import { StoredEvents } from './records/logs/stored-events.ts'
import { MetricReader } from './records/metrics/read-metrics.ts'
import { findAnnotationSchema, Objects } from './records/objects/objects.ts'
import { Retention } from './records/retention/retention.ts'
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
  /** Is told what has to be closed as soon as it is open. */
  readonly opened: OpenedParts
}

/** All services of the product. Nothing here knows HTTP. */
export type Services = Readonly<Awaited<ReturnType<typeof openServices>>['services']>

/** Wires up all services. */
export async function openServices({ config, log, clock, store, dialect, opened }: ServiceParts) {
  const access = await Access.open({ dataFolder: config.data, adminKey: config.adminKey, clock, log })
  opened.add('access', () => access.close())
  const openId =
    config.oidc === null
      ? undefined
      : new OpenId({ settings: config.oidc, accounts: access.accounts, keyFile: config.secretsKeyFile, clock, log })
  const blobs = await BlobStore.open({
    folder: blobsFolder(config.data),
    temporaryFile: () => store.temporaryFile('upload'),
    refuseIfShort: () => store.refuseContentIfShort(),
  })
  const files = new Files({ store, blobs, clock })
  const costs = new Costs({ store, clock })
  const annotationQueues = AnnotationQueues.over({ store, clock, dialect })
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
  opened.add('jobs', () => jobs.stop())
  const retention = await Retention.open({ store, clock })
  const marker = config.stripLarge ? exceedsLimits(dialect) : undefined
  const calls = new Calls(
    { store, dialect, costs, usernames: () => access.usernames(), refs, retention },
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
  const providers = openProviders({ config, dialect, log, clock, calls: calls.writer, objects, files })
  opened.add('providers', () => providers.stop())
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
    log,
    clientsMax: config.liveClientsMax,
    clientsPerKeyMax: config.liveClientsPerKeyMax,
    eventsMax: config.liveEventsMax,
  })
  opened.add('live', () => live.close())
  const ops = new SpanOps({ objects })
  const events = new StoredEvents(store)
  const evaluations = new EvaluationResults(feedback, dialect.refs)
  const sessions = new AgentSessions({ store, events, calls: calls.writer })
  const intake = new CallIntake({
    dialect: dialect.name,
    redact: config.redact,
    keepsContents: config.extractContents,
    marker,
    clock,
    log,
  })
  opened.add('intake', () => intake.close())
  const traces = new TraceIngest({ calls: calls.writer, redact: config.redact, ops, sessions, evaluations, intake })
  const spans = new SpanContents({ calls: calls.writer, events, evaluations })
  const agents = new AgentTurns({ calls: calls.writer, ops, events, sessions })
  const logIngest = new LogIngest({ store, clock, redact: config.redact, agents, spans })
  const callStatistics = new CallStatistics({ store, costs, clock })
  const secretStore = new SecretStore({ dataFolder: config.data, keyFile: config.secretsKeyFile, clock })
  const rules = openRules({
    config,
    store,
    clock,
    log,
    secretStore,
    engine,
    queues: annotationQueues,
    callStatistics,
    feedback,
  })
  opened.add('rules', () => rules.stop())
  const modelCatalog = await ModelCatalog.open(config.modelCatalogFile, clock)
  const evaluationsOver = (parts: { calls: Calls; feedback: Feedback; dialect: Dialect }) =>
    new Evaluations({ ...parts, store, costs, clock, builder, work: jobs })
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
  const erasures = new Erasures({ store, clock, jobs, rules, retention, forget: (projectId) => ops.forget(projectId) })
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
    evaluations: evaluationsOver({ calls, feedback, dialect }),
    evaluationEngine: engine,
    feedback,
    typedObjects: new TypedObjects(builder),
    files,
    geolocation: new Geolocation(),
    callFields: new FieldFinder({ store, costs, dialect }),
    callSearch: new CallSearcher({ store, dialect }),
    callStatistics,
    callValues: new ValueCounter({ store, costs }),
    idempotency: new Idempotency({ store, clock }),
    intake,
    images: providers.images,
    messages: new Messages({ store }),
    payloads: new Payloads({ store }),
    modelCatalog,
    objects,
    projects: new Projects({ store, statistics: callStatistics, clock }),
    projectSizes: new ProjectSizes({ store }),
    refs,
    runtimes: new Runtimes(objects),
    jobs,
    rules,
    retention,
    expiry,
    erasures,
    erasedWithinMs: config.versionsKeptMs + limits.erasedWithinMs,
    secrets: secretStore,
    storage: new StorageUsage({ store, clock, folder: absolutePath(config.data) }),
    streams: streamsOf(store),
    tables: rowTables,
    threads: new Threads({ store, costs }),
    sql: new SqlRunner({
      dataFolder: absolutePath(config.data),
      temporaryFolder: joinPath(absolutePath(config.data), 'tmp'),
    }),
    traces,
    traceTrees: new Traces({ store, costs }),
    usage: new Usage({ store, costs }),
    live,
    logs: new LogReader({ store, dialect }),
    logIngest,
    metricIngest: new MetricIngest({ store, clock, redact: config.redact }),
    metricPoints: new MetricReader({ store, dialect }),
    metricStatistics: new MetricStatistics({ store, clock, dialect }),
    logins: await Logins.open({ dataFolder: config.data, access, openId, clock, log }),
    metrics: new Metrics({
      store,
      liveTails: () => live.listening,
      spans: traces.spans,
      logRecords: logIngest.records,
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
      callSearch: new CallSearcher({ store, dialect: other }),
      logs: new LogReader({ store, dialect: other }),
      metricPoints: new MetricReader({ store, dialect: other }),
      metricStatistics: new MetricStatistics({ store, clock, dialect: other }),
      evaluations: evaluationsOver({ ...named, dialect: { ...dialect, nameOf: other.nameOf } }),
    }
  }
  return { services, inNames, jobs }
}

const streamsOf = (store: Store): Streams => ({ shouldYield: () => store.shouldYieldReader() })
