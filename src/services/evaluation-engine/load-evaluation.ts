import { DomainError } from '../../errors.ts'
import type { ProjectReader } from '../../model/caller.ts'
import { isJsonObject } from '../../model/json-value.ts'
import type { ObjectSource } from './object-source.ts'

/** A stored evaluation, taken apart. */
export interface LoadedEvaluation {
  readonly ref: string
  readonly datasetRef: string
  readonly scorerRefs: readonly string[]
  /** How often each row is tried. */
  readonly trials: number
}

const trialsMax = 100

/** @throws DomainError InvalidRequest where the object is no evaluation; NotFound */
export async function loadEvaluation(
  objects: ObjectSource,
  reader: ProjectReader,
  ref: string,
): Promise<LoadedEvaluation> {
  const { val, name, ref: resolved, baseClassName, className } = await objects.read(reader, ref)
  if (!isJsonObject(val) || (baseClassName !== 'Evaluation' && className !== 'Evaluation')) {
    throw new DomainError('InvalidRequest', `Run the evaluation "${name}": the object is no Evaluation`)
  }
  const { dataset, scorers, trials } = val
  if (typeof dataset !== 'string') {
    throw new DomainError('InvalidRequest', `Run the evaluation "${name}": its dataset is no ref of a dataset`)
  }
  const scorerRefs = Array.isArray(scorers) ? scorers : []
  if (!scorerRefs.every((scorer) => typeof scorer === 'string')) {
    throw new DomainError('InvalidRequest', `Run the evaluation "${name}": its scorers are no refs of scorers`)
  }
  const repetitions = typeof trials === 'number' ? trials : 1
  if (!Number.isInteger(repetitions) || repetitions < 1 || repetitions > trialsMax) {
    throw new DomainError('InvalidRequest', `Run the evaluation "${name}": its trials are not from 1 to ${trialsMax}`)
  }
  return { ref: resolved, datasetRef: dataset, scorerRefs, trials: repetitions }
}
