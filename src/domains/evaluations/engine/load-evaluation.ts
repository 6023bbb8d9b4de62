import { DomainError } from '../../../lib/errors.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { limits } from '../../../lib/limits.ts'
import type { ProjectReader } from '../../access/caller.ts'
import type { ObjectSource } from './object-source.ts'

/** A parsed evaluation object. */
export interface LoadedEvaluation {
  readonly ref: string
  readonly name: string
  readonly datasetRef: string
  readonly scorerRefs: readonly string[]
  /** Number of trials per row. */
  readonly trials: number
  /** Whether an op transforms rows before they reach the model. */
  readonly preprocesses: boolean
}

/** @throws DomainError InvalidRequest if the object is not an evaluation; NotFound */
export async function loadEvaluation(
  objects: ObjectSource,
  reader: ProjectReader,
  ref: string,
): Promise<LoadedEvaluation> {
  const { val, name, ref: resolved, baseClassName, className } = await objects.read(reader, ref)
  if (!isJsonObject(val) || (baseClassName !== 'Evaluation' && className !== 'Evaluation')) {
    throw new DomainError('InvalidRequest', `The object "${name}" is not an Evaluation`)
  }
  const { dataset, scorers, trials, preprocess_model_input: preprocess } = val
  if (typeof dataset !== 'string') {
    throw new DomainError('InvalidRequest', `Invalid evaluation "${name}": \`dataset\` must be a dataset ref`)
  }
  const scorerRefs = Array.isArray(scorers) ? scorers : []
  if (!scorerRefs.every((scorer) => typeof scorer === 'string')) {
    throw new DomainError('InvalidRequest', `Invalid evaluation "${name}": \`scorers\` must be scorer refs`)
  }
  const repetitions = typeof trials === 'number' ? trials : 1
  if (!Number.isInteger(repetitions) || repetitions < 1) {
    throw new DomainError('InvalidRequest', `Invalid evaluation "${name}": \`trials\` must be an integer of at least 1`)
  }
  return { ref: resolved, name, datasetRef: dataset, scorerRefs, trials: repetitions, preprocesses: preprocess != null }
}

/** @throws DomainError InvalidRequest if the evaluation needs a client to run */
export function checkRunnable({ name, trials, preprocesses }: LoadedEvaluation): void {
  if (preprocesses) {
    throw new DomainError(
      'InvalidRequest',
      `The evaluation "${name}" is not runnable on the server: \`preprocess_model_input\` is user code; ` +
        'run the evaluation with a client SDK instead',
    )
  }
  if (trials > limits.evaluationTrialsMax) {
    throw new DomainError(
      'InvalidRequest',
      `Invalid evaluation "${name}": \`trials\` must be from 1 to ${limits.evaluationTrialsMax}`,
    )
  }
}
