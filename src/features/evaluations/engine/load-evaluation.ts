import { DomainError } from '../../../errors.ts'
import type { ProjectReader } from '../../../foundation/access/caller.ts'
import { isJsonObject } from '../../../kernel/json-value.ts'
import type { ObjectSource } from './object-source.ts'

/** A stored evaluation, taken apart. */
export interface LoadedEvaluation {
  readonly ref: string
  readonly name: string
  readonly datasetRef: string
  readonly scorerRefs: readonly string[]
  /** How often each row is tried. */
  readonly trials: number
  /** Whether an op changes the rows before they reach the model. */
  readonly preprocesses: boolean
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
  const { dataset, scorers, trials, preprocess_model_input: preprocess } = val
  if (typeof dataset !== 'string') {
    throw new DomainError('InvalidRequest', `Run the evaluation "${name}": its dataset is no ref of a dataset`)
  }
  const scorerRefs = Array.isArray(scorers) ? scorers : []
  if (!scorerRefs.every((scorer) => typeof scorer === 'string')) {
    throw new DomainError('InvalidRequest', `Run the evaluation "${name}": its scorers are no refs of scorers`)
  }
  const repetitions = typeof trials === 'number' ? trials : 1
  if (!Number.isInteger(repetitions) || repetitions < 1) {
    throw new DomainError('InvalidRequest', `Run the evaluation "${name}": its trials are no number of 1 or more`)
  }
  return { ref: resolved, name, datasetRef: dataset, scorerRefs, trials: repetitions, preprocesses: preprocess != null }
}

/** @throws DomainError InvalidRequest where the server cannot run the evaluation; a client may */
export function checkRunnable({ name, trials, preprocesses }: LoadedEvaluation): void {
  if (preprocesses) {
    throw new DomainError(
      'InvalidRequest',
      `Run the evaluation "${name}": its preprocess_model_input is code of its author and not runnable on the server; ` +
        'run the evaluation with a client library instead',
    )
  }
  if (trials > trialsMax) {
    throw new DomainError('InvalidRequest', `Run the evaluation "${name}": its trials are not from 1 to ${trialsMax}`)
  }
}
