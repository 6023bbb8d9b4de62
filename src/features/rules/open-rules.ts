import type { Config } from '../../config/configuration.ts'
import { GuardedRequests } from '../../foundation/outbound/guarded-requests.ts'
import type { SecretStore } from '../../foundation/secrets/secret-store.ts'
import { Secrets } from '../../foundation/secrets/secrets.ts'
import { limits } from '../../limits.ts'
import type { Log } from '../../log.ts'
import type { Clock } from '../../platform/clock.ts'
import type { AnnotationQueues } from '../../records/annotation-queues/annotation-queues.ts'
import type { Feedback } from '../../records/feedback/feedback.ts'
import { Deliveries } from '../../records/rules/deliveries.ts'
import { RuleProgressRecords } from '../../records/rules/rule-progress.ts'
import { RuleRecords } from '../../records/rules/rule-records.ts'
import type { Store } from '../../store/store.ts'
import type { EvaluationEngine } from '../evaluations/engine/engine.ts'
import type { CallStatistics } from '../stats/call-stats.ts'
import { Arrivals } from './arrivals.ts'
import { ArrivedCalls } from './arrived-calls.ts'
import { Measurements } from './measure.ts'
import { RuleChecks } from './rule-checks.ts'
import { RuleRunner } from './rule-runner.ts'
import { RuleSecrets } from './rule-secrets.ts'
import { Rules } from './rules.ts'
import { Ticks } from './ticks.ts'
import { Webhooks } from './webhooks.ts'

/** Creates the rules with their dependencies. They start with `resume`. */
export function openRules(options: {
  config: Config
  store: Store
  clock: Clock
  log: Log
  secretStore: SecretStore
  engine: EvaluationEngine
  queues: AnnotationQueues
  callStatistics: CallStatistics
  feedback: Feedback
}): Rules {
  const { config, store, clock, log, secretStore, engine, queues } = options
  const { privateHosts } = config
  const deliveries = new Deliveries({ store, clock })
  const secrets = new RuleSecrets({
    store: secretStore,
    secrets: new Secrets({ store: secretStore, variable: () => undefined, log }),
  })
  const requests = new GuardedRequests({ privateHosts })
  const runner = new RuleRunner({
    store,
    requests,
    secrets,
    arrivals: new Arrivals(store),
    ticks: new Ticks(limits.ruleTickMs),
    calls: new ArrivedCalls(store),
    measurements: new Measurements({ calls: options.callStatistics, feedback: options.feedback }),
    progress: new RuleProgressRecords({ store, clock }),
    webhooks: new Webhooks({ requests, secrets }),
    deliveries,
    engine,
    queues,
    clock,
    log,
  })
  const records = new RuleRecords({ store, clock })
  return new Rules({
    records,
    runner,
    secrets,
    checks: new RuleChecks({ engine, queues, privateHosts }),
    deliveries,
    clock,
  })
}
