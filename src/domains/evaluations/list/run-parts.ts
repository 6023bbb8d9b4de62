import { findRef } from '../../../formats/dialect/parsed-ref.ts'
import { BoundedMap } from '../../../lib/bounded-map.ts'
import { forEachConcurrent } from '../../../lib/concurrency.ts'
import { DomainError } from '../../../lib/errors.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { DatasetSource } from '../engine/engine-deps.ts'
import type { ObjectSource, SourceObject } from '../engine/object-source.ts'
import { type EvaluationCall, textIn } from '../evaluation-calls.ts'
import type { Named } from '../model/run-list.ts'

/** What a run is made of, as its refs say. Versions never change, so that it is kept. */
export interface Parts {
  readonly evaluation: Named
  readonly model: Named
  readonly llm: string | null
  readonly prompt: Named | null
  readonly dataset: Named | null
  readonly scorers: readonly Named[]
  readonly trials: number
  readonly rowCount: number | null
}

const partsAtOnce = 8
/** A program may store a model after it has begun its run. */
const missingKeptMs = 30_000

/** Reads what runs are made of. */
export class RunParts {
  private readonly objects: ObjectSource
  private readonly datasets: DatasetSource
  private readonly keptObjects = new BoundedMap<string, SourceObject>(operationLimits.keptRunFiguresMax)
  /** Until when refs that name nothing are not looked up again. */
  private readonly missing = new BoundedMap<string, number>(operationLimits.keptRunFiguresMax)
  private readonly clock: Clock
  private readonly readObjects = new Once<SourceObject | undefined>()
  private readonly readCounts = new Once<number | undefined>()
  private readonly keptCounts = new BoundedMap<string, number>(operationLimits.keptRunFiguresMax)
  private readonly parts = new BoundedMap<string, Parts>(operationLimits.keptRunFiguresMax)

  constructor({ objects, datasets, clock }: { objects: ObjectSource; datasets: DatasetSource; clock: Clock }) {
    this.objects = objects
    this.datasets = datasets
    this.clock = clock
  }

  /** Reads the parts of runs, those of several at a time; by run. */
  async all(reader: ProjectReader, calls: readonly EvaluationCall[]): Promise<ReadonlyMap<string, Parts>> {
    const found = new Map<string, Parts>()
    await forEachConcurrent(calls, partsAtOnce, async (call) => {
      found.set(call.id, await this.of(reader, call))
    })
    return found
  }

  private async of(reader: ProjectReader, { mark, inputs }: EvaluationCall): Promise<Parts> {
    const evaluationRef = textIn(mark, 'evaluation') ?? textIn(inputs, 'self') ?? textIn(inputs, 'this') ?? ''
    const modelRef = textIn(mark, 'model') ?? textIn(inputs, 'model') ?? ''
    const key = `${reader.projectId}\n${evaluationRef}\n${modelRef}`
    const kept = this.parts.get(key)
    if (kept !== undefined) return kept
    const evaluation = await this.objectAt(reader, evaluationRef)
    const model = await this.objectAt(reader, modelRef)
    const { dataset, scorers, trials } = membersOf(evaluation?.val)
    const { llm_model_id, default_params } = membersOf(model?.val)
    const { prompt } = membersOf(default_params)
    const parts: Parts = {
      evaluation: namedBy(evaluationRef, evaluation),
      model: namedBy(modelRef, model),
      llm: typeof llm_model_id === 'string' ? llm_model_id : null,
      prompt: await this.namedAt(reader, prompt),
      dataset: await this.namedAt(reader, dataset),
      scorers: (
        await Promise.all((Array.isArray(scorers) ? scorers : []).map((each) => this.namedAt(reader, each)))
      ).flatMap((each) => each ?? []),
      trials: typeof trials === 'number' && trials >= 1 ? Math.trunc(trials) : 1,
      rowCount: await this.rowCount(reader, dataset),
    }
    // Refs that name nothing yet may do so later.
    if (evaluation !== undefined && model !== undefined) this.parts.set(key, parts)
    return parts
  }

  private async namedAt(reader: ProjectReader, ref: unknown): Promise<Named | null> {
    return typeof ref === 'string' && ref !== '' ? namedBy(ref, await this.objectAt(reader, ref)) : null
  }

  private async objectAt(reader: ProjectReader, ref: string): Promise<SourceObject | undefined> {
    const key = `${reader.projectId}\n${ref}`
    const kept = this.keptObjects.get(key)
    if (kept !== undefined) return kept
    const missing = this.missing.get(key)
    if (missing !== undefined && this.clock.nowMs() < missing) return undefined
    const object = await this.readObjects.get(key, () => known(() => this.objects.read(reader, ref)))
    if (object !== undefined) this.keptObjects.set(key, object)
    else this.missing.set(key, this.clock.nowMs() + missingKeptMs)
    return object
  }

  private async rowCount(reader: ProjectReader, dataset: unknown): Promise<number | null> {
    if (dataset === undefined) return null
    const key = `${reader.projectId}\n${JSON.stringify(dataset)}`
    const kept = this.keptCounts.get(key)
    if (kept !== undefined) return kept
    const count = await this.readCounts.get(key, () => known(() => this.datasets.count(reader, dataset)))
    if (count !== undefined) this.keptCounts.set(key, count)
    return count ?? null
  }
}

/** Reads that are in progress: runs that are listed together have most of their parts in common. */
class Once<T> {
  private readonly reading = new Map<string, Promise<T>>()

  async get(key: string, read: () => Promise<T>): Promise<T> {
    const before = this.reading.get(key)
    if (before !== undefined) return await before
    const now = read()
    this.reading.set(key, now)
    try {
      return await now
    } finally {
      this.reading.delete(key)
    }
  }
}

/** Runs of clients may refer to what was never stored, or not as the server stores it. */
async function known<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (cause) {
    if (cause instanceof DomainError) return undefined
    throw cause
  }
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isJsonObject(value) ? value : {})

function namedBy(ref: string, object: SourceObject | undefined): Named {
  const parsed = findRef(ref)
  const name = object?.name ?? (parsed !== undefined && 'name' in parsed ? parsed.name : ref)
  return { ref: object?.ref ?? ref, name, version: object?.version ?? null }
}
