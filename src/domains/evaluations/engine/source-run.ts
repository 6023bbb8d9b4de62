import { findRef } from '../../../formats/dialect/parsed-ref.ts'
import { isRef, opShortName } from '../../../formats/dialect/ref.ts'
import { parseObject } from '../../../formats/wire/exact-json.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { evaluate, isScoreOp, isTrialOp } from '../../../lib/evaluation-ops.ts'
import { isJsonObject, plainNumbers } from '../../../lib/json-value.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { equals, not } from '../../../query/grammar.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { Calls } from '../../calls/index.ts'
import { callMembers, markOfCall } from '../evaluation-calls.ts'
import type { EngineDeps } from './engine-deps.ts'
import { chosenRowsIn } from './row-selection.ts'
import type { EvaluatedRun } from './run-calls.ts'
import type { TrialOfRow } from './run-trials.ts'

/** The run whose predictions are scored again. */
export interface SourceRun {
  readonly id: string
  readonly traceId: string
  readonly evaluationRef: string
  readonly modelRef: string
  readonly modelName: string
  readonly chosen: EvaluatedRun['chosen']
}

/** A trial of the source run with the model's output. */
export interface SourceTrial extends TrialOfRow {
  readonly output: unknown
  readonly latencySeconds: number | null
  /** Why there is no output, if the model failed. */
  readonly error: string | undefined
}

/** @throws DomainError NotFound if the run does not exist; InvalidRequest if it has not ended */
export async function findSourceRun(calls: Calls, reader: ProjectReader, id: string): Promise<SourceRun> {
  const text = await calls.reader.read(reader, id, {})
  const call = text === null ? undefined : parseObject(text)
  if (call === undefined || opShortName(textOf(call['op_name'])) !== evaluate) {
    throw new DomainError('NotFound', `The evaluation run ${quoted(id)} does not exist`)
  }
  if (call['ended_at'] == null) {
    throw new DomainError('InvalidRequest', `The evaluation run ${quoted(id)} has not ended yet`)
  }
  const inputs = isJsonObject(call['inputs']) ? call['inputs'] : {}
  const [evaluationRef = '', modelRef = ''] = [inputs['self'] ?? inputs['this'], inputs['model']].map(textOf)
  const model = findRef(modelRef)
  const traceId = textOf(call['trace_id'])
  const { chosen, rowCount } = chosenRowsIn(markOfCall(call))
  return {
    id,
    traceId,
    evaluationRef,
    modelRef,
    modelName: model?.kind === 'object' ? model.name : 'Model',
    chosen: chosen === null || rowCount === null ? undefined : { ...chosen, row_count: rowCount },
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The trials of a run in a stable order, with refs to dataset rows resolved. */
export async function* sourceTrials(
  { calls, refs }: EngineDeps,
  reader: ProjectReader,
  source: SourceRun,
  signal: AbortSignal,
): AsyncGenerator<SourceTrial> {
  const failures = await failuresIn(calls, reader, source, signal)
  const request = {
    filter: { parent_ids: [source.id] },
    columns: ['id', 'op_name', 'inputs', 'output'],
    sort_by: [{ field: 'id', direction: 'asc' as const }],
  }
  let at = 0
  for await (const lines of calls.reader.jsonLines(reader, request, signal)) {
    const trials = lines.map(parseObject).filter(({ op_name }) => isTrialOp(opShortName(textOf(op_name))))
    const examples = trials.map(({ inputs }) => (isJsonObject(inputs) ? inputs['example'] : undefined))
    const named = examples.filter((example): example is string => typeof example === 'string')
    const silent = trials.filter(({ output }) => !saysOutput(output)).map(({ id }) => textOf(id))
    const predicted = await outputsBelow(calls, reader, silent, source.modelRef, signal)
    const values = named.length === 0 ? new Map<string, unknown>() : await refs.resolve(reader, [...new Set(named)])
    for (const [index, { id, output }] of trials.entries()) {
      const example = examples[index]
      const row = typeof example === 'string' ? values.get(example) : example
      const isGone = typeof example === 'string' && row == null && isRef(example)
      const result = isJsonObject(output) ? output : {}
      const latency = plainNumbers(
        isJsonObject(result['model_latency']) ? result['model_latency']['mean'] : result['model_latency'],
      )
      const said = result['output'] ?? result['model_output'] ?? predicted.get(textOf(id)) ?? null
      yield {
        trial: { row: at++, repetition: 0, example },
        row: isJsonObject(row) ? row : { example: row ?? example ?? null },
        missing: isGone ? `The dataset row ${example} no longer exists` : undefined,
        output: said,
        latencySeconds: typeof latency === 'number' ? latency : null,
        error: said === null ? failures.get(textOf(id)) : undefined,
      }
    }
  }
}

const saysOutput = (output: unknown): boolean =>
  isJsonObject(output) && (Object.hasOwn(output, 'output') || Object.hasOwn(output, 'model_output'))

/** Outputs of the predictions below trials, by trial: unfinished trials have them only there. */
async function outputsBelow(
  calls: Calls,
  reader: ProjectReader,
  trialIds: readonly string[],
  modelRef: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, unknown>> {
  const outputs = new Map<string, unknown>()
  for (let from = 0; from < trialIds.length; from += operationLimits.filterValuesMax) {
    const filter = { parent_ids: trialIds.slice(from, from + operationLimits.filterValuesMax) }
    const request = { filter, columns: ['id', 'parent_id', 'op_name', 'inputs', 'output'], sort_by: [] }
    for await (const call of callMembers(calls, reader, request, signal)) {
      if (isModelCall(call, modelRef)) outputs.set(textOf(call['parent_id']), call['output'] ?? null)
    }
  }
  return outputs
}

/** Errors of the model by trial, from its call or from the trial itself. */
async function failuresIn(
  calls: Calls,
  reader: ProjectReader,
  { id: runId, traceId, modelRef }: SourceRun,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const request = {
    filter: { trace_ids: [traceId] },
    query: { $expr: not(equals('exception', null)) },
    columns: ['id', 'parent_id', 'op_name', 'exception', 'inputs'],
    sort_by: [],
  }
  const failures = new Map<string, string>()
  for await (const call of callMembers(calls, reader, request, signal)) {
    const exception = textOf(call['exception'])
    if (call['parent_id'] === runId) failures.set(call.id, exception)
    else if (isModelCall(call, modelRef)) failures.set(textOf(call['parent_id']), exception)
  }
  return failures
}

function isModelCall({ op_name, inputs }: Readonly<Record<string, unknown>>, modelRef: string): boolean {
  const name = opShortName(textOf(op_name)).toLowerCase()
  if (isScoreOp(name)) return false
  return (isJsonObject(inputs) && inputs['self'] === modelRef) || /predict|invoke/.test(name)
}
