import { parseTime } from '../../lib/time.ts'
import type { SqliteFile, SqliteRow } from '../../runtime/platform/files/sqlite-file.ts'
import { ImportedRun } from '../evaluation/imported-run.ts'
import type { ScoreContent, TrialContent } from '../evaluation/run-content.ts'
import type { ImportRecord } from '../record.ts'
import type { Origin } from '../source.ts'
import { stableUuid } from '../stable-id.ts'
import { examplesAsOf } from './datasets.ts'
import { isoTime, jsonOf, textOrNull } from './values.ts'

/** Experiments as evaluations: their runs as trials, the annotations of these as scores. */
export function* phoenixExperiments(database: SqliteFile, origin: Origin): Generator<ImportRecord> {
  if (!database.hasTable('experiments') || !database.hasTable('experiment_runs')) return
  for (const experiment of [...database.rows(experiments)]) yield* experimentRecords(database, experiment, origin)
}

const experiments = `
  SELECT e.*, d.name AS dataset, d.description AS dataset_description
  FROM experiments e JOIN datasets d ON d.id = e.dataset_id ORDER BY e.id`

function* experimentRecords(database: SqliteFile, experiment: SqliteRow, origin: Origin): Generator<ImportRecord> {
  const id = Number(experiment['id'])
  const rows = examplesAsOf(database, Number(experiment['dataset_id']), Number(experiment['dataset_version_id']))
  const dataset = String(experiment['dataset'])
  const name = String(experiment['name'])
  const metadata = jsonOf(experiment['metadata'])
  const run = new ImportedRun({
    id: stableUuid('phoenix', 'experiment', dataset, name, String(id)),
    // Experiments over the same version of a dataset are runs of one evaluation.
    name: `${dataset}-experiments`,
    displayName: name,
    description: null,
    dataset: { name: dataset, description: textOrNull(experiment['dataset_description']), rows: [...rows.values()] },
    model: { name, attributes: { metadata } },
    scorers: [...database.rows(scorersOf, id)].map((row) => String(row['name'])),
    trials: Number(experiment['repetitions']),
  })
  yield* run.objects
  const span = database.row(
    'SELECT min(start_time) AS first, max(end_time) AS last FROM experiment_runs WHERE experiment_id = ?',
    id,
  )
  yield* run.calls({
    startedAt: isoTime(span?.['first'] ?? experiment['created_at']),
    endedAt: isoTime(span?.['last'] ?? experiment['created_at']),
    output: Object.fromEntries(
      [...database.rows(means, id)].map(({ name: scorer, mean }) => [String(scorer), { mean }]),
    ),
    exception: null,
    attributes: { metadata, import: origin },
  })
  for (const trial of trialsOf(database, id, { run, rows, origin })) {
    yield* run.trial(trial.content)
    for (const score of trial.scores) {
      yield run.score(trial.content, score)
    }
  }
  for (const trial of trialsOf(database, id, { run, rows, origin })) {
    for (const score of trial.scores) if (score.exception === null) yield run.scoreFeedback(trial.content.id, score)
  }
}

const scorersOf = `
  SELECT DISTINCT a.name FROM experiment_run_annotations a JOIN experiment_runs r ON r.id = a.experiment_run_id
  WHERE r.experiment_id = ? ORDER BY a.name`

const means = `
  SELECT a.name, avg(a.score) AS mean
  FROM experiment_run_annotations a JOIN experiment_runs r ON r.id = a.experiment_run_id
  WHERE r.experiment_id = ? GROUP BY a.name ORDER BY a.name`

/** With the root span of the trace, if Phoenix has it. */
const runsOf = `
  SELECT r.*, (SELECT s.span_id FROM spans s JOIN traces t ON t.id = s.trace_rowid
    WHERE t.trace_id = r.trace_id AND s.parent_id IS NULL ORDER BY s.id LIMIT 1) AS root
  FROM experiment_runs r WHERE r.experiment_id = ? ORDER BY r.id`

const annotationsOf = 'SELECT * FROM experiment_run_annotations WHERE experiment_run_id = ? ORDER BY id'

interface Experiment {
  readonly run: ImportedRun
  readonly rows: ReadonlyMap<number, Readonly<Record<string, unknown>>>
  readonly origin: Origin
}

function* trialsOf(
  database: SqliteFile,
  experimentId: number,
  { run, rows, origin }: Experiment,
): Generator<{ content: TrialContent; scores: (ScoreContent & { exception: string | null })[] }> {
  for (const row of database.rows(runsOf, experimentId)) {
    const example = rows.get(Number(row['dataset_example_id']))
    if (example === undefined) continue
    const { trace_id, root, dataset_example_id, repetition_number } = row
    const scores = [...database.rows(annotationsOf, Number(row['id']))].map((annotation) => scoreOf(annotation, origin))
    const content: TrialContent = {
      id: stableUuid(run.id, String(dataset_example_id), String(repetition_number)),
      row: example,
      output: taskOutput(jsonOf(row['output'])),
      exception: textOrNull(row['error']),
      scores: Object.fromEntries(scores.map(({ scorer, output }) => [scorer, output])),
      startedAt: isoTime(row['start_time']),
      endedAt: isoTime(row['end_time']),
      latency: secondsOf(row),
      attributes: {
        repetition: repetition_number,
        ...(trace_id !== null && { phoenix_trace_id: trace_id }),
        import: origin,
      },
      ...(typeof root === 'string' && { span: { traceId: String(trace_id), spanId: root } }),
    }
    yield { content, scores }
  }
}

/** Phoenix wraps what a task returned. */
function taskOutput(output: unknown): unknown {
  const isWrapped = typeof output === 'object' && output !== null && 'task_output' in output
  return isWrapped ? (output.task_output as unknown) : output
}

const secondsOf = ({ start_time, end_time }: SqliteRow): number =>
  ((parseTime(isoTime(end_time)) ?? 0) - (parseTime(isoTime(start_time)) ?? 0)) / 1e6

function scoreOf(row: SqliteRow, origin: Origin): ScoreContent & { exception: string | null } {
  const { name, label, score, explanation, annotator_kind } = row
  return {
    scorer: String(name),
    output: { score, label, explanation },
    exception: textOrNull(row['error']),
    startedAt: isoTime(row['start_time']),
    endedAt: isoTime(row['end_time']),
    attributes: { annotator_kind, metadata: jsonOf(row['metadata']), import: origin },
  }
}
