import { mapJson } from '../../lib/json-value.ts'
import { toolLimits } from '../../lib/limits/tools.ts'
import { type InputFile, listInputFiles } from '../../runtime/platform/files/input-files.ts'
import { ImportedRun } from '../evaluation/imported-run.ts'
import type { ImportRecord } from '../record.ts'
import type { Source } from '../source.ts'
import { stableUuid } from '../stable-id.ts'
import { type EvalHeader, type EvalLog, evalLog } from './eval-log.ts'
import { isoOf, membersOf, microsOf, numberOf, objectsIn, stated, textOf } from './members.ts'
import { rowOf, sampleRecords, scorersOf } from './sample.ts'

/**
 * A sample with all of its texts and messages in place. Inspect writes long texts, and messages
 * that several model calls share, once, and refers to them.
 */
function resolveSample(sample: Members): Members {
  const { attachments, events_data, ...others } = sample
  const texts = membersOf(attachments)
  const resolved = Object.keys(texts).length === 0 ? others : membersOf(withTexts(others, texts))
  const pool = withTexts(membersOf(events_data)['messages'] ?? [], texts)
  const events = objectsIn(resolved['events']).map((event) => withMessages(event, Array.isArray(pool) ? pool : []))
  return { ...resolved, events }
}

const reference = /attachment:\/\/([0-9a-f]{32})/g

function withTexts(value: unknown, texts: Members): unknown {
  if (typeof value !== 'string') return mapJson(value, (child) => withTexts(child, texts))
  if (!value.includes('attachment://')) return value
  return value.replaceAll(reference, (whole, id: string) => (typeof texts[id] === 'string' ? texts[id] : whole))
}

/** `input_refs` are ranges of the pool: first, and the one after the last. */
function withMessages(event: Members, pool: readonly unknown[]): Members {
  const { input_refs: ranges, ...others } = event
  if (!Array.isArray(ranges)) return event
  const input = ranges.flatMap((range) => {
    const [from, to] = Array.isArray(range) ? range.map(numberOf) : []
    return pool.slice(from ?? 0, to ?? 0)
  })
  return { ...others, input }
}

type Members = Readonly<Record<string, unknown>>

/** Evaluation logs of Inspect AI. */
export const inspect: Source = {
  name: 'inspect',
  summary: 'evaluation logs of Inspect (.eval, .json); --select takes the name of a task',
  async *parts({ place, select }) {
    for await (const file of listInputFiles(place, (name) => /\.(?:eval|json)$/i.test(name))) {
      const log = evalLog(file.path)
      yield {
        name: file.name,
        version: `${file.bytes}-${file.modifiedMs}`,
        records: () => recordsOf(file, log, select),
      }
    }
  },
}

async function* recordsOf(file: InputFile, log: EvalLog, select: string | undefined): AsyncGenerator<ImportRecord> {
  const header = await log.header()
  if (select !== undefined && header.eval['task'] !== select) return
  const version = textOf(membersOf(header.eval['packages'])['inspect_ai']) ?? 'unknown'
  const origin = { source: 'inspect', version, file: file.name }
  const run = await runOf(header, log)
  yield* run.objects
  yield* run.calls(runCall(header, origin))
  const context = { run, model: String(header.eval['model']), startedAt: startOf(header), origin }
  const lost = { 'raw requests to model providers': 0, 'events about changes of the state': 0 }
  let feedback: ImportRecord[] = []
  for await (const sample of log.samples()) {
    for (const { event, call } of objectsIn(sample['events'])) {
      if (call !== undefined && call !== null) lost['raw requests to model providers']++
      if (event === 'state' || event === 'store') lost['events about changes of the state']++
    }
    const records = sampleRecords(resolveSample(sample), context)
    yield* records.calls
    // Requests contain records of one kind, so feedback is collected for a while.
    feedback.push(...records.feedback)
    if (feedback.length < toolLimits.importBatchRecords) continue
    yield* feedback
    feedback = []
  }
  yield* feedback
  for (const [what, count] of Object.entries(lost)) if (count > 0) yield { kind: 'loss', what, count }
}

/** Reads all samples once, for the rows of the dataset and the names of the scorers. */
async function runOf({ eval: spec, plan }: EvalHeader, log: EvalLog): Promise<ImportedRun> {
  const rows = new Map<string, Members>()
  const scorers = new Set<string>()
  for await (const sample of log.samples()) {
    const key = String(sample['id'])
    if (!rows.has(key)) rows.set(key, rowOf(resolveSample({ ...sample, events: [] })))
    for (const scorer of scorersOf(sample)) scorers.add(scorer)
  }
  const { task, model, model_args, model_generate_config, model_base_url, model_roles, task_description } = spec
  const name = String(task)
  return new ImportedRun({
    id: stableUuid('inspect', ...runKey(spec)),
    name,
    displayName: textOf(spec['task_display_name']) ?? name,
    description: textOf(task_description) ?? null,
    dataset: {
      // A task often has the name of its dataset, and objects need different names.
      name: `${textOf(membersOf(spec['dataset'])['name']) ?? name}-dataset`,
      description: textOf(membersOf(spec['dataset'])['location']) ?? null,
      rows: [...rows.values()],
    },
    model: {
      name: String(model),
      attributes: stated({
        model,
        generate_config: model_generate_config,
        args: model_args,
        base_url: model_base_url,
        roles: model_roles,
        solvers: objectsIn(plan['steps']),
      }),
    },
    scorers: [...scorers],
    trials: numberOf(membersOf(spec['config'])['epochs']) ?? 1,
  })
}

/** Older logs have no id of the evaluation. */
function runKey({ eval_id, run_id, task_id, created }: Members): string[] {
  const id = textOf(eval_id)
  return id === undefined ? [run_id, task_id, created].map(String) : [id]
}

const startOf = ({ stats, eval: spec }: EvalHeader): number =>
  microsOf(stats['started_at']) ?? microsOf(spec['created']) ?? 0

function runCall(header: EvalHeader, origin: Members) {
  const { status, eval: spec, stats, error, results } = header
  const { tags, metadata } = spec
  const startedAt = startOf(header)
  const completed = microsOf(stats['completed_at'])
  const endedAt = status === 'started' ? undefined : (completed ?? startedAt)
  const failure = status === 'cancelled' ? 'The evaluation was cancelled' : 'The evaluation failed'
  return {
    startedAt: isoOf(startedAt),
    endedAt: endedAt === undefined ? undefined : isoOf(Math.max(startedAt, endedAt)),
    output: metricsOf(results),
    exception: status === 'success' ? null : (textOf(error['message']) ?? failure),
    attributes: {
      ...(Array.isArray(tags) && tags.length > 0 && { tags }),
      ...stated({ metadata }),
      inspect: stated({ ...spec, tags: null, metadata: null }),
      import: origin,
    },
  }
}

/** Metrics by scorer: `{"match": {"accuracy": 0.8}}`. */
function metricsOf(results: Members): Members {
  const scores = objectsIn(results['scores']).map(({ name, reducer, metrics }): readonly [string, unknown] => {
    const values = Object.entries(membersOf(metrics)).map(([metric, value]) => [metric, membersOf(value)['value']])
    return [typeof reducer === 'string' ? `${String(name)}/${reducer}` : String(name), Object.fromEntries(values)]
  })
  return Object.fromEntries<unknown>(scores)
}
