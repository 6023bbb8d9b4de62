import { parseJsonExactly } from '../../formats/wire/json-body.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import { parseTime } from '../../lib/time.ts'
import type { SqliteFile, SqliteRow } from '../../runtime/platform/files/sqlite-file.ts'
import { ImportedRun, type ScoreContent, type TrialContent } from '../evaluation/imported-run.ts'
import { datasetRecord } from '../objects/dataset.ts'
import type { ImportRecord } from '../record.ts'
import type { Origin } from '../source.ts'
import { stableUuid } from '../stable-id.ts'

/** A JSON column; null if it is empty. */
export const jsonOf = (value: unknown): unknown =>
  typeof value === 'string' && value !== '' ? parseJsonExactly(value, telemetryLimits.otlpJsonDepthMax) : null

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** SQLAlchemy writes times in UTC without saying so. */
function isoTime(value: unknown): string {
  const iso = String(value ?? '').replace(' ', 'T')
  return /(?:Z|[+-]\d\d:?\d\d)$/.test(iso) ? iso : `${iso}Z`
}

/** All versions of datasets, the oldest first. */
export function* phoenixDatasets(database: SqliteFile): Generator<ImportRecord> {
  if (!database.hasTable('datasets')) return
  for (const { id, name, description, version } of [...database.rows(versions)]) {
    const rows = [...examplesAsOf(database, Number(id), Number(version)).values()]
    yield datasetRecord({ name: String(name), description: textOrNull(description), rows })
  }
}

const versions = `
  SELECT d.id, d.name, d.description, v.id AS version
  FROM datasets d JOIN dataset_versions v ON v.dataset_id = d.id ORDER BY d.id, v.id`

/** The examples of a version of a dataset, as rows by the ids of the examples. */
function examplesAsOf(
  database: SqliteFile,
  datasetId: number,
  versionId: number,
): Map<number, Readonly<Record<string, unknown>>> {
  const rows = [...database.rows(examples, versionId, datasetId)]
  return new Map(
    rows.map(({ id, input, output, metadata }) => [
      Number(id),
      { input: jsonOf(input), output: jsonOf(output), metadata: jsonOf(metadata) },
    ]),
  )
}

const examples = `
  SELECT e.id, r.input, r.output, r.metadata
  FROM dataset_examples e JOIN dataset_example_revisions r ON r.id =
    (SELECT max(n.id) FROM dataset_example_revisions n
     WHERE n.dataset_example_id = e.id AND n.dataset_version_id <= ?)
  WHERE e.dataset_id = ? AND r.revision_kind <> 'DELETE'
  ORDER BY e.id`

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
  return isJsonObject(output) && 'task_output' in output ? output['task_output'] : output
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
