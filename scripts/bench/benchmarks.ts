import type { Benchmark } from './benchmark.ts'
import { datasets } from './datasets/datasets.ts'
import { evalResults } from './evaluations/eval-results.ts'
import { evaluationRuns } from './evaluations/evaluation-runs.ts'
import { hostile } from './hostile/hostile.ts'
import { ingest1k, ingest20k } from './ingest/ingest.ts'
import { otlpIngest } from './ingest/otlp-ingest.ts'
import { rowLife } from './ingest/row-life.ts'
import { rulesIngest } from './ingest/rules-ingest.ts'
import { lakeBillion } from './lake/lake-billion.ts'
import { lakeCost } from './lake/lake-cost.ts'
import { dashboard } from './large/dashboard.ts'
import { fairShares } from './large/fair-shares.ts'
import { heavyQuestions } from './large/heavy-questions.ts'
import { largeErase } from './large/large-erase.ts'
import { largeIngest } from './large/large-ingest.ts'
import { largeReads, largeReads20k } from './large/large-reads.ts'
import { largeStats } from './large/large-stats.ts'
import { scattered } from './large/scattered.ts'
import { sqlLoad } from './large/sql-load.ts'
import { mixedLoad } from './mixed/mixed-load.ts'
import { peers } from './peers/peers.ts'
import { firstToken } from './playground/first-token.ts'
import { callRead } from './reads/call-read.ts'
import { feedbackPage } from './reads/feedback-page.ts'
import { stream } from './reads/stream.ts'
import { coldStart } from './start/cold-start.ts'
import { largeStart } from './start/large-start.ts'
import { restart } from './start/restart.ts'
import { typing } from './ui/typing.ts'
import { ui } from './ui/ui.ts'

/** All benchmarks in the order in which they run. */
export const benchmarks: readonly Benchmark[] = [
  ingest1k,
  ingest20k,
  otlpIngest,
  rowLife,
  lakeCost,
  lakeBillion,
  rulesIngest,
  stream,
  callRead,
  feedbackPage,
  evalResults,
  evaluationRuns,
  datasets,
  firstToken,
  coldStart,
  restart,
  largeStart,
  largeIngest,
  largeReads,
  largeReads20k,
  largeStats,
  heavyQuestions,
  dashboard,
  largeErase,
  scattered,
  fairShares,
  sqlLoad,
  hostile,
  ui,
  typing,
  mixedLoad,
  peers,
]
