import type { Benchmark } from './benchmark.ts'
import { evalResults } from './evaluations/eval-results.ts'
import { largeFile } from './files/large-file.ts'
import { hostile } from './hostile/hostile.ts'
import { ingest1k, ingest20k } from './ingest/ingest.ts'
import { fairShares } from './large/fair-shares.ts'
import { largeErase } from './large/large-erase.ts'
import { largeIngest } from './large/large-ingest.ts'
import { largeReads, largeReads20k } from './large/large-reads.ts'
import { largeStats } from './large/large-stats.ts'
import { objects } from './objects/objects.ts'
import { otlpIngest } from './otlp/otlp-ingest.ts'
import { peers } from './peers/peers.ts'
import { callRead } from './reads/call-read.ts'
import { everyday } from './reads/everyday.ts'
import { newestPage } from './reads/newest-page.ts'
import { questions } from './reads/questions.ts'
import { rulesIngest } from './rules/rules-ingest.ts'
import { coldStart } from './start/cold-start.ts'
import { restart } from './start/restart.ts'
import { slowReader } from './stream/slow-reader.ts'
import { stream } from './stream/stream.ts'
import { tableOfRows } from './tables/table-of-rows.ts'
import { ui } from './ui/ui.ts'

/** All benchmarks in the order in which they run. */
export const benchmarks: readonly Benchmark[] = [
  ingest1k,
  ingest20k,
  otlpIngest,
  rulesIngest,
  stream,
  slowReader,
  callRead,
  newestPage,
  everyday,
  questions,
  evalResults,
  coldStart,
  restart,
  objects,
  tableOfRows,
  largeFile,
  largeIngest,
  largeReads,
  largeReads20k,
  largeStats,
  largeErase,
  fairShares,
  hostile,
  ui,
  peers,
]
