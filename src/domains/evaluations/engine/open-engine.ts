import type { Store } from '../../../engine/store.ts'
import type { Dialect } from '../../../formats/dialect/dialect.ts'
import { findRef } from '../../../formats/dialect/parsed-ref.ts'
import { parseObject } from '../../../formats/wire/exact-json.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import type { Log } from '../../../runtime/log.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import type { ProjectReader, ProjectWriter } from '../../access/index.ts'
import type { Calls, RefResolver } from '../../calls/index.ts'
import {
  CompletionRefused,
  type Completions,
  fillMessages,
  liveObjects,
  type ProviderObjects,
  promptMessages,
} from '../../completions/index.ts'
import type { Costs } from '../../costs/index.ts'
import type { Feedback } from '../../feedback/index.ts'
import type { Jobs } from '../../jobs/index.ts'
import type { Objects } from '../../objects/index.ts'
import type { RowTables } from '../../tables/index.ts'
import { EvaluationRunList } from '../list/run-list.ts'
import type { RowChoice } from '../model/row-choice.ts'
import { RunRowsReader } from '../rows/run-rows-reader.ts'
import { EvaluationEngine } from './engine.ts'
import type { DatasetRow, DatasetSource } from './engine-deps.ts'
import type { LanguageModels, Message, ModelAnswer, ModelRequest } from './language-model.ts'
import type { ObjectSource, SourceObject } from './object-source.ts'
import { RowSelection } from './row-selection.ts'
import { ScoreFeedback } from './score-feedback.ts'

/** Datasets of the project: objects that refer to a table with their rows. */
class StoredDatasets implements DatasetSource {
  private readonly objects: ObjectSource
  private readonly tables: RowTables

  constructor(objects: ObjectSource, tables: RowTables) {
    this.objects = objects
    this.tables = tables
  }

  async *rows(reader: ProjectReader, ref: string, choice: RowChoice, signal: AbortSignal): AsyncGenerator<DatasetRow> {
    const { table, resolved } = await this.tableOf(reader, ref)
    const selection = new RowSelection(choice)
    for await (const batch of this.tables.reader.stream(reader, { digest: table }, signal)) {
      for (const { digest, val: text } of batch) {
        if (selection.takes(digest)) yield { example: `${resolved}/attr/rows/id/${digest}`, row: parseObject(text) }
      }
      if (selection.isFull) return
    }
  }

  async *digests(reader: ProjectReader, ref: string): AsyncGenerator<readonly string[]> {
    const { table } = await this.tableOf(reader, ref)
    yield* this.tables.reader.digests(reader, table)
  }

  async count(reader: ProjectReader, dataset: unknown): Promise<number> {
    const { val, name } =
      typeof dataset === 'string' ? await this.objects.read(reader, dataset) : { val: dataset, name: '' }
    const rows = isJsonObject(val) ? val['rows'] : val
    return Array.isArray(rows) ? rows.length : (await this.tableAt(reader, rows, name)).count
  }

  private async tableOf(
    reader: ProjectReader,
    ref: string,
  ): Promise<{ readonly table: string; readonly resolved: string }> {
    const { val, name, ref: resolved } = await this.objects.read(reader, ref)
    const { table } = await this.tableAt(reader, isJsonObject(val) ? val['rows'] : undefined, name)
    return { table, resolved }
  }

  private async tableAt(
    reader: ProjectReader,
    rows: unknown,
    name: string,
  ): Promise<{ readonly table: string; readonly count: number }> {
    const table = typeof rows === 'string' ? findRef(rows) : undefined
    if (table?.kind !== 'table' || table.projectId !== reader.projectId) {
      throw new DomainError(
        'InvalidRequest',
        `Invalid dataset "${name}": \`rows\` must be a ref to a table in the project`,
      )
    }
    const count = await this.tables.reader.count(reader, table.digest)
    if (count === undefined) throw new DomainError('NotFound', `The table of the dataset "${name}" does not exist`)
    return { table: table.digest, count }
  }
}

/**
 * Language models via `completions/create`. Requests are not recorded separately, because the calls
 * of the evaluation contain them.
 */
class ProviderModels implements LanguageModels {
  private readonly completions: Completions
  private readonly objects: ProviderObjects

  constructor(completions: Completions, objects: ProviderObjects) {
    this.completions = completions
    this.objects = objects
  }

  async complete(
    writer: ProjectWriter,
    { model, messages, params }: ModelRequest,
    signal: AbortSignal,
  ): Promise<ModelAnswer> {
    const inputs = { ...params, model, messages: [...messages] }
    const { message, usage, error } = await this.completions.complete(writer, { inputs, track: false }, { signal })
    if (error !== undefined || message === undefined) return { error: error ?? 'The model returned no output' }
    return { message, usage: usage === undefined ? undefined : { [model]: { requests: 1, ...usage } } }
  }

  async promptMessages(reader: ProjectReader, prompt: string): Promise<readonly Message[]> {
    return await refusedAsInvalid(() => promptMessages(reader, prompt, this.objects))
  }

  fill(
    messages: readonly Message[],
    values: Readonly<Record<string, unknown>>,
    format: 'mustache' | 'braces' = 'braces',
  ): readonly Message[] {
    try {
      return fillMessages(messages, values, format)
    } catch (cause) {
      throw asInvalid(cause)
    }
  }
}

async function refusedAsInvalid<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw asInvalid(cause)
  }
}

const asInvalid = (cause: unknown): unknown =>
  cause instanceof CompletionRefused ? new DomainError('InvalidRequest', cause.message, { cause }) : cause

/** Objects of the project. */
class StoredObjects implements ObjectSource {
  private readonly objects: Objects

  constructor(objects: Objects) {
    this.objects = objects
  }

  async read(reader: ProjectReader, text: string): Promise<SourceObject> {
    const ref = findRef(text)
    if (ref?.kind === 'op') {
      throw new DomainError(
        'InvalidRequest',
        `The op "${ref.name}" is user code and not runnable on the server; run the evaluation with a ` +
          'client SDK instead',
      )
    }
    if (ref?.kind !== 'object' || ref.edges.length > 0) {
      throw new DomainError('InvalidRequest', `Invalid ref ${quoted(text, 200)}: it must name an object version`)
    }
    if (ref.projectId !== reader.projectId) {
      throw new DomainError('InvalidRequest', `Invalid ref ${quoted(text, 200)}: it must be in the project`)
    }
    const name = { object_id: ref.name, digest: ref.version, kind: 'object' as const }
    const { digest, version_index, val, base_object_class, leaf_object_class } = await this.objects.read(reader, name)
    return {
      ref: this.objects.refOf({ ...ref, version: digest }),
      name: ref.name,
      version: version_index,
      className: leaf_object_class,
      baseClassName: base_object_class,
      // Numbers that JavaScript would print differently are used by value here.
      val: JSON.parse(JSON.stringify(val)),
    }
  }
}

/** Creates the engine with its dependencies. Its jobs start with `jobs.resume`. */
export function openEngine(options: {
  jobs: Jobs
  clock: Clock
  log: Log
  dialect: Dialect
  calls: Calls
  feedback: Feedback
  objects: Objects
  tables: RowTables
  completions: Completions
  refs: RefResolver
  store: Store
  costs: Costs
}): { engine: EvaluationEngine; runList: EvaluationRunList; runRows: RunRowsReader } {
  const { calls, clock, log, dialect, refs, store, costs } = options
  const objects = new StoredObjects(options.objects)
  const datasets = new StoredDatasets(objects, options.tables)
  const runRows = new RunRowsReader({ store, costs, clock, log })
  const runList = new EvaluationRunList({ store, costs, clock, log, objects, datasets, runRows, jobs: options.jobs })
  const engine = new EvaluationEngine(options.jobs, {
    calls,
    clock,
    refs,
    objects,
    feedback: new ScoreFeedback(options.feedback, dialect.refs),
    datasets,
    prices: (reader) => costs.currentPrices(reader),
    models: new ProviderModels(options.completions, liveObjects(options.objects)),
    namespace: dialect.namespace,
    runEnded: (reader, id) => runList.prepare(reader, id),
  })
  return { engine, runList, runRows }
}
