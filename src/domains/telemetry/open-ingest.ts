import type { Store } from '../../engine/store.ts'
import type { Dialect } from '../../formats/dialect/dialect.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { CallIntake, CallWriter } from '../calls/index.ts'
import type { Feedback } from '../feedback/index.ts'
import type { Objects } from '../objects/index.ts'
import { AgentSessions } from './agent-sessions.ts'
import { AgentTurns } from './agent-turns.ts'
import { LogIngest } from './log-ingest.ts'
import { StoredEvents } from './logs/stored-events.ts'
import { EvaluationResults, SpanContents } from './span-contents.ts'
import { SpanOps } from './span-ops.ts'
import { TraceIngest } from './trace-ingest.ts'

interface IngestParts {
  readonly store: Store
  readonly clock: Clock
  readonly dialect: Dialect
  readonly redact: boolean
  readonly calls: CallWriter
  readonly objects: Objects
  readonly feedback: Feedback
  readonly intake: CallIntake
}

/** What stores traces and logs as they arrive, and the ops of their spans. */
export function openIngest({ store, clock, dialect, redact, calls, objects, feedback, intake }: IngestParts): {
  readonly traces: TraceIngest
  readonly logIngest: LogIngest
  readonly ops: SpanOps
} {
  const ops = new SpanOps({ objects })
  const events = new StoredEvents(store)
  const evaluations = new EvaluationResults(feedback, dialect.refs)
  const sessions = new AgentSessions({ store, events, calls })
  const traces = new TraceIngest({ calls, redact, ops, sessions, evaluations, intake })
  const spans = new SpanContents({ calls, events, evaluations })
  const agents = new AgentTurns({ calls, ops, events, sessions })
  const logIngest = new LogIngest({ store, clock, redact, agents, spans })
  return { traces, logIngest, ops }
}
