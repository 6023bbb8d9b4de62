import type { Store } from '../../engine/store.ts'
import { ruleLimits } from '../../lib/limits/rules.ts'
import type { Config } from '../../runtime/config/configuration.ts'
import type { Log } from '../../runtime/log.ts'
import { GuardedRequests } from '../../runtime/outbound/guarded-requests.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { type SecretStore, Secrets } from '../access/index.ts'
import type { EvaluationEngine } from '../evaluations/index.ts'
import type { Feedback } from '../feedback/index.ts'
import type { Jobs } from '../jobs/index.ts'
import type { AnnotationQueues } from '../queues/index.ts'
import type { CallStatistics } from '../usage/index.ts'
import { Arrivals, Ticks } from './arrivals.ts'
import { ArrivedCalls } from './arrived-calls.ts'
import { Backfills } from './backfills.ts'
import { Deliveries } from './deliveries.ts'
import { DryRuns } from './dry-runs.ts'
import { MatchingCalls } from './matching-calls.ts'
import { Measurements } from './measure.ts'
import { RuleChecks } from './rule-checks.ts'
import { RuleProgressRecords } from './rule-progress.ts'
import { RuleRecords } from './rule-records.ts'
import { RuleRunner } from './rule-runner.ts'
import { RuleScoring } from './rule-scoring.ts'
import { RuleSecrets } from './rule-secrets.ts'
import { Rules } from './rules.ts'
import { Webhooks } from './webhooks.ts'

/** Creates the rules with their dependencies. They start with `resume`. */
export function openRules(options: {
  config: Config
  store: Store
  clock: Clock
  log: Log
  secretStore: SecretStore
  engine: EvaluationEngine
  jobs: Jobs
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
  const scoring = new RuleScoring(engine)
  const matching = new MatchingCalls(store)
  const requests = new GuardedRequests({ privateHosts })
  const runner = new RuleRunner({
    store,
    requests,
    secrets,
    arrivals: new Arrivals(store),
    ticks: new Ticks(ruleLimits.ruleTickMs),
    calls: new ArrivedCalls(store),
    measurements: new Measurements({ calls: options.callStatistics, feedback: options.feedback }),
    progress: new RuleProgressRecords({ store, clock }),
    webhooks: new Webhooks({ requests, secrets }),
    deliveries,
    scoring,
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
    dryRuns: new DryRuns({ matching, scoring, clock }),
    backfills: new Backfills({ jobs: options.jobs, matching, scoring, clock }),
    clock,
  })
}
