import { schemaFault } from '../prompt/schema-faults.ts'
import { piecesOf, placeAt, unclosedIn } from '../prompt/variables.ts'
import { scorerText } from '../text/evaluation/scorer.ts'
import { labelsOf, rangeOf } from './answer.ts'
import type { FieldName, Judge, Scorer } from './scorer.ts'

/** Part of a scorer that has a fault. */
export type ScorerPart = FieldName | 'model' | 'prompt' | 'temperature' | 'answer' | 'labels' | 'range'

/** Something that keeps a scorer from being saved, or from scoring. */
export interface ScorerFault {
  /** Faults stop saving; warnings do not. */
  readonly level: 'fault' | 'warning'
  readonly part: ScorerPart
  readonly text: string
}

const words = scorerText.fault

const fault = (part: ScorerPart, text: string): ScorerFault => ({ level: 'fault', part, text })

/** Everything wrong with a scorer: faults first. @param problem why its model cannot be called */
export function scorerFaults({ fields, judge }: Scorer, problem?: string): readonly ScorerFault[] {
  if (judge !== undefined) return judgeFaults(judge, problem)
  const { expected_column: column, pattern, json_schema: schema, tolerance } = fields
  return [
    ...(column !== undefined && column.trim() === '' ? [fault('expected_column', words.column)] : []),
    ...(pattern === '' ? [fault('pattern', words.pattern)] : []),
    ...(schema === undefined ? [] : schemaFaults(schema)),
    ...(tolerance !== undefined && !isFrom(tolerance, 0) ? [fault('tolerance', words.tolerance)] : []),
  ]
}

const isFrom = (text: string, low: number, high = Number.MAX_VALUE): boolean =>
  /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text.trim()) && Number(text) >= low && Number(text) <= high

function schemaFaults(text: string): ScorerFault[] {
  if (text.trim() === '') return [fault('json_schema', words.noSchema)]
  const found = schemaFault(text)
  if (found === undefined) return []
  const { line, column } = placeAt(text, found.offset)
  return [fault('json_schema', words.schema(line, column, found.reason))]
}

function judgeFaults(judge: Judge, problem: string | undefined): ScorerFault[] {
  const { model, prompt, format, temperature } = judge
  const name = format === 'mustache' ? '{{output}}' : '{output}'
  const usesOutput = piecesOf(prompt, format).some((piece) => piece.name === 'output')
  return [
    ...(model.trim() === '' ? [fault('model', words.model)] : []),
    ...(prompt.trim() === '' ? [fault('prompt', words.prompt)] : []),
    ...unclosedIn(prompt, format).map(({ line, column }) => fault('prompt', words.unclosed('{{', line, column))),
    ...answerFaults(judge),
    ...(temperature.trim() !== '' && !isFrom(temperature, 0, 2) ? [fault('temperature', words.temperature)] : []),
    ...(prompt.trim() !== '' && !usesOutput
      ? [{ level: 'warning', part: 'prompt', text: words.noOutput(name) } as const]
      : []),
    ...(problem === undefined ? [] : [{ level: 'warning', part: 'model', text: `${problem}.` } as const]),
  ]
}

function answerFaults({ answer }: Judge): ScorerFault[] {
  const { kind, name } = answer
  if (kind === 'any') return []
  const labels = labelsOf(answer)
  const twice = labels.find((label, at) => labels.indexOf(label) < at)
  return [
    ...(/^[A-Za-z]\w{0,63}$/.test(name) && name !== 'reason' ? [] : [fault('answer', words.answerName)]),
    ...(kind === 'labels' && labels.length < 2 ? [fault('labels', words.labels)] : []),
    ...(kind === 'labels' && twice !== undefined ? [fault('labels', words.labelTwice(twice))] : []),
    ...(kind === 'number' && rangeOf(answer) === undefined ? [fault('range', words.range)] : []),
  ]
}
