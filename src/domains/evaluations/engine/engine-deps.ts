import { Value } from '@sinclair/typebox/value'
import { DomainError } from '../../../lib/errors.ts'
import { isDeeperThan, isJsonObject } from '../../../lib/json-value.ts'
import { withoutFence } from '../../../lib/judge-answer.ts'
import { requestLimits } from '../../../lib/limits/requests.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import { Caller, type ProjectReader, type ProjectWriter } from '../../access/index.ts'
import type { Calls, RefResolver } from '../../calls/index.ts'
import type { PriceBook } from '../../costs/index.ts'
import type { Job } from '../../jobs/index.ts'
import { type Judge, parsedOutput, type ScoredExample, scorerClasses, scorerJudge } from '../../scoring/index.ts'
import type { RowChoice } from '../model/row-choice.ts'
import type { LanguageModels } from './language-model.ts'
import type { ObjectSource, SourceObject } from './object-source.ts'
import { completionModelClass, prepareModel } from './prepare-model.ts'
import type { RunnableScorer, Score } from './runnable.ts'
import type { ScoreFeedback } from './score-feedback.ts'

export interface DatasetRow {
  /** Ref of the row in its dataset; the row itself if the dataset has no row refs. */
  readonly example: unknown
  readonly row: Readonly<Record<string, unknown>>
}

/** Reads the rows of datasets. */
export interface DatasetSource {
  /**
   * The chosen rows in dataset order, streamed.
   *
   * @throws DomainError InvalidRequest if `ref` is not a dataset ref; NotFound if the dataset does
   *   not exist
   */
  rows(reader: ProjectReader, ref: string, choice: RowChoice, signal: AbortSignal): AsyncIterable<DatasetRow>

  /** Digests of all rows in dataset order, in batches. @throws DomainError as `rows` */
  digests(reader: ProjectReader, ref: string): AsyncIterable<readonly string[]>

  /**
   * Number of rows of a dataset as an evaluation names it: by a ref, or with the dataset or its
   * rows in place of one.
   *
   * @throws DomainError as `rows`
   */
  count(reader: ProjectReader, dataset: unknown): Promise<number>
}

/** The built-in class of scorers that use a language model. */
const judgeClassName = 'LLMAsAJudgeScorer'

/**
 * A scorer that uses a language model. Its score is the JSON in the model's output, or `{"text":
 * …}` if there is none. Its prompt may have a `template_format`, as prompts have.
 *
 * @throws DomainError InvalidRequest for invalid fields; NotFound if its model does not exist
 */
async function prepareJudge(
  { name, val }: SourceObject,
  parties: { readonly models: LanguageModels; readonly objects: ObjectSource; readonly writer: ProjectWriter },
): Promise<(example: ScoredExample, signal: AbortSignal) => Promise<Score>> {
  const fields = isJsonObject(val) ? val : {}
  const prompt = fields['scoring_prompt']
  if (typeof prompt !== 'string') {
    throw new DomainError('InvalidRequest', `The scorer "${name}" has no \`scoring_prompt\``)
  }
  const { models, writer } = parties
  const format = fields['template_format'] === 'mustache' ? 'mustache' : 'braces'
  const model = await prepareModel(await judgingModel(name, fields['model'], parties), models, writer)
  return async ({ inputs, output }, signal) => {
    try {
      const request = models.fill([{ role: 'user', content: prompt }], { inputs, ...inputs, output }, format)
      const answer = await model.predict({ user_input: request }, signal)
      return 'error' in answer ? answer : scoreIn(answer.output, answer.usage)
    } catch (cause) {
      // A row that lacks a column of the prompt fails alone.
      if (cause instanceof DomainError) return { error: cause.message }
      throw cause
    }
  }
}

function scoreIn(output: unknown, usage: Readonly<Record<string, unknown>> | undefined): Score {
  const parsed = parsedOutput(typeof output === 'string' ? withoutFence(output) : output)
  // JSON nested too deeply to be stored is kept as text.
  const isUsable = parsed !== undefined && !isDeeperThan(parsed, requestLimits.jsonDepthMax)
  return { value: isUsable ? parsed : { text: output }, usage }
}

async function judgingModel(
  scorerName: string,
  model: unknown,
  { objects, writer }: { readonly objects: ObjectSource; readonly writer: ProjectWriter },
): Promise<SourceObject> {
  if (typeof model === 'string' && model.includes(':///')) return await objects.read(writer, model)
  const val = typeof model === 'string' ? { llm_model_id: model } : model
  return { ref: '', name: `${scorerName}’s model`, className: completionModelClass, baseClassName: 'Model', val }
}

/**
 * Makes a stored scorer runnable.
 *
 * @throws DomainError InvalidRequest if it needs user code, or its fields do not match its class
 */
async function prepareScorer(
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

/** Dependencies of the evaluation engine. */
export interface EngineDeps {
  readonly calls: Calls
  readonly feedback: ScoreFeedback
  readonly objects: ObjectSource
  readonly datasets: DatasetSource
  readonly refs: RefResolver
  readonly models: LanguageModels
  readonly clock: Clock
  /** Prices of models, as they are now. */
  readonly prices: (reader: ProjectReader) => Promise<PriceBook>
  /** The server's own member of attributes. */
  readonly namespace: string
  /** A run of this engine has ended. */
  readonly runEnded: (reader: ProjectReader, runId: string) => void
}

/** Write access to the project of a job for the user who requested it, and nothing more. */
export const writerOf = ({
  userId,
  userName,
  projectId,
}: Pick<Job, 'userId' | 'userName' | 'projectId'>): ProjectWriter =>
  new Caller({ userId, userName, role: 'write', scope: projectId }).write(projectId)

/** Loads each distinct scorer once. @throws DomainError InvalidRequest, NotFound */
export async function loadScorers(
  { objects, models }: EngineDeps,
  writer: ProjectWriter,
  refs: readonly string[],
): Promise<RunnableScorer[]> {
  const scorers: RunnableScorer[] = []
  for (const ref of refs) {
    const scorer = await prepareScorer(await objects.read(writer, ref), { objects, models, writer })
    if (scorers.some((known) => known.ref === scorer.ref)) continue
    if (scorers.some(({ name }) => name === scorer.name)) {
      throw new DomainError('InvalidRequest', `Duplicate scorer "${scorer.name}"`)
    }
    scorers.push(scorer)
  }
  return scorers
}
