import { DomainError } from '../../errors.ts'
import type { ProjectReader } from '../../model/caller.ts'
import { isJsonObject } from '../../model/json-value.ts'
import { opShortName } from '../../model/op-name.ts'
import { findRef } from '../../model/parsed-ref.ts'
import type { Calls } from '../calls/calls.ts'
import type { EngineParties } from './engine-parties.ts'
import type { TrialOfRow } from './run-trials.ts'

/** The run whose predictions are scored again. */
export interface SourceRun {
  readonly evaluationRef: string
  readonly modelRef: string
  readonly modelName: string
}

/** A trial of the source run with what its model answered then. */
export interface SourceTrial extends TrialOfRow {
  readonly output: unknown
  readonly latencySeconds: number | null
}

/** @throws DomainError NotFound where there is no such run; InvalidRequest where it has not ended */
export async function findSourceRun(calls: Calls, reader: ProjectReader, id: string): Promise<SourceRun> {
  const text = await calls.reader.read(reader, id, {})
  const call = text === null ? undefined : (JSON.parse(text) as Record<string, unknown>)
  if (call === undefined || opShortName(call['op_name'] as string) !== 'Evaluation.evaluate') {
    throw new DomainError('NotFound', `Score again: there is no evaluation run "${id.slice(0, 80)}"`)
  }
  if (call['ended_at'] == null) {
    throw new DomainError('InvalidRequest', `Score again: the evaluation run "${id.slice(0, 80)}" has not ended`)
  }
  const inputs = isJsonObject(call['inputs']) ? call['inputs'] : {}
  const [evaluationRef = '', modelRef = ''] = [inputs['self'] ?? inputs['this'], inputs['model']].map(textOf)
  const model = findRef(modelRef)
  return { evaluationRef, modelRef, modelName: model?.kind === 'object' ? model.name : 'Model' }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The trials of the run, in an order that is the same each time; refs to rows of datasets are followed. */
export async function* sourceTrials(
  { calls, refs }: EngineParties,
  reader: ProjectReader,
  runId: string,
  signal: AbortSignal,
): AsyncGenerator<SourceTrial> {
  const question = {
    filter: { parent_ids: [runId] },
    columns: ['id', 'op_name', 'inputs', 'output'],
    sort_by: [{ field: 'id', direction: 'asc' as const }],
  }
  let at = 0
  for await (const lines of calls.reader.jsonLines(reader, question, signal)) {
    const trials = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(isTrial)
    const examples = trials.map(({ inputs }) => (isJsonObject(inputs) ? inputs['example'] : undefined))
    const named = examples.filter((example): example is string => typeof example === 'string')
    const values = named.length === 0 ? new Map<string, unknown>() : await refs.resolve(reader, [...new Set(named)])
    for (const [index, { output }] of trials.entries()) {
      const example = examples[index]
      const row = typeof example === 'string' ? values.get(example) : example
      const result = isJsonObject(output) ? output : {}
      const latency = isJsonObject(result['model_latency']) ? result['model_latency']['mean'] : result['model_latency']
      yield {
        trial: { row: at++, repetition: 0, example },
        row: isJsonObject(row) ? row : { example: row ?? example ?? null },
        output: result['output'] ?? result['model_output'] ?? null,
        latencySeconds: typeof latency === 'number' ? latency : null,
      }
    }
  }
}

const isTrial = ({ op_name }: Readonly<Record<string, unknown>>): boolean =>
  ['Evaluation.predict_and_score', 'Evaluation.predictAndScore'].includes(opShortName(op_name as string))
