import { Value } from '@sinclair/typebox/value'
import { DomainError } from '../../../lib/errors.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import type { ProjectWriter } from '../../access/caller.ts'
import { scorerJudge } from '../../scoring/judging/scorer-judge.ts'
import type { Judge, ScoredExample } from '../../scoring/scorers/scorer.ts'
import { scorerClasses } from '../../scoring/scorers/scorer-classes.ts'
import type { LanguageModels } from './language-model.ts'
import { judgeClassName, prepareJudge } from './llm-judge.ts'
import type { ObjectSource, SourceObject } from './object-source.ts'
import type { RunnableScorer, Score } from './runnable.ts'

/**
 * Makes a stored scorer runnable.
 *
 * @throws DomainError InvalidRequest if it needs user code, or its fields do not match its class
 */
export async function prepareScorer(
  scorer: SourceObject,
  parties: { readonly models: LanguageModels; readonly objects: ObjectSource; readonly writer: ProjectWriter },
): Promise<RunnableScorer> {
  const { ref, name, className, val } = scorer
  if (!isJsonObject(val)) throw notRunnable(scorer)
  const mapped = columnMapping(val['column_map'])
  if (className === judgeClassName) {
    const judge = await prepareJudge(scorer, parties)
    return { ref, name, score: (example, signal) => judge(mapped(example), signal) }
  }
  const known = scorerClasses.find((candidate) => candidate.className === className)
  if (known === undefined) throw notRunnable(scorer)
  const fields = Value.Default(known.fields, { ...val })
  if (!Value.Check(known.fields, fields)) {
    const [error] = Value.Errors(known.fields, fields)
    throw new DomainError(
      'InvalidRequest',
      `Invalid scorer "${name}": ${error?.path.slice(1) || 'object'}: ${error?.message ?? 'unknown format'}`,
    )
  }
  const judge = await scorerJudge(known.className, fields)
  return { ref, name, score: (example, signal) => scoreOf(judge, mapped(example), signal) }
}

async function scoreOf(judge: Judge, example: ScoredExample, signal: AbortSignal): Promise<Score> {
  try {
    return { value: await judge(example, signal) }
  } catch (cause) {
    // A row that lacks a column fails alone.
    if (cause instanceof DomainError) return { error: cause.message }
    throw cause
  }
}

const notRunnable = ({ name }: SourceObject): DomainError =>
  new DomainError(
    'InvalidRequest',
    `The scorer "${name}" is not runnable on the server, which runs built-in scorers only; ` +
      'run the evaluation with a client SDK instead',
  )

/** Adds the scorer's column names to the columns of a row: `{"expected": "answer"}`. */
function columnMapping(map: unknown): (example: ScoredExample) => ScoredExample {
  if (!isJsonObject(map) || Object.keys(map).length === 0) return (example) => example
  return ({ inputs, output }) => ({
    output,
    inputs: {
      ...inputs,
      ...Object.fromEntries(Object.entries(map).map(([name, column]) => [name, inputs[String(column)]])),
    },
  })
}
