import { findRef } from '../../../formats/dialect/parsed-ref.ts'
import { BoundedMap } from '../../../lib/bounded-map.ts'
import { DomainError } from '../../../lib/errors.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
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

/** Reads what runs are made of. */
export class RunParts {
  private readonly objects: ObjectSource
  private readonly datasets: DatasetSource
  private readonly keptObjects = new BoundedMap<string, SourceObject>(operationLimits.keptRunFiguresMax)
  private readonly parts = new BoundedMap<string, Parts>(operationLimits.keptRunFiguresMax)

  constructor({ objects, datasets }: { objects: ObjectSource; datasets: DatasetSource }) {
    this.objects = objects
    this.datasets = datasets
  }

  /** The parts of a run, as its refs say. */
  async of(reader: ProjectReader, { mark, inputs }: EvaluationCall): Promise<Parts> {
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
    const object = await known(() => this.objects.read(reader, ref))
    if (object !== undefined) this.keptObjects.set(key, object)
    return object
  }

  private async rowCount(reader: ProjectReader, dataset: unknown): Promise<number | null> {
    if (dataset === undefined) return null
    return (await known(() => this.datasets.count(reader, dataset))) ?? null
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
