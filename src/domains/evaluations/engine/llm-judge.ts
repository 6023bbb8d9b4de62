import { DomainError } from '../../../lib/errors.ts'
import { isDeeperThan, isJsonObject } from '../../../lib/json-value.ts'
import { limits } from '../../../lib/limits.ts'
import type { ProjectWriter } from '../../access/caller.ts'
import { parsedOutput } from '../../scoring/scorers/compared-texts.ts'
import type { ScoredExample } from '../../scoring/scorers/scorer.ts'
import type { LanguageModels } from './language-model.ts'
import type { ObjectSource, SourceObject } from './object-source.ts'
import { completionModelClass, prepareModel } from './prepare-model.ts'
import type { Score } from './runnable.ts'

/** The built-in class of scorers that use a language model. */
export const judgeClassName = 'LLMAsAJudgeScorer'

/**
 * A scorer that uses a language model. Its score is the JSON in the model's output, or `{"text":
 * …}` if there is none.
 *
 * @throws DomainError InvalidRequest for invalid fields; NotFound if its model does not exist
 */
export async function prepareJudge(
  { name, val }: SourceObject,
  parties: { readonly models: LanguageModels; readonly objects: ObjectSource; readonly writer: ProjectWriter },
): Promise<(example: ScoredExample, signal: AbortSignal) => Promise<Score>> {
  const fields = isJsonObject(val) ? val : {}
  const prompt = fields['scoring_prompt']
  if (typeof prompt !== 'string') {
    throw new DomainError('InvalidRequest', `The scorer "${name}" has no \`scoring_prompt\``)
  }
  const { models, writer } = parties
  const model = await prepareModel(await judgingModel(name, fields['model'], parties), models, writer)
  return async ({ inputs, output }, signal) => {
    try {
      const question = models.fill([{ role: 'user', content: prompt }], { inputs, ...inputs, output })
      const answer = await model.predict({ user_input: question }, signal)
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
  const isUsable = parsed !== undefined && !isDeeperThan(parsed, limits.jsonDepthMax)
  return { value: isUsable ? parsed : { text: output }, usage }
}

/** Models like to wrap JSON in a Markdown code fence. */
const withoutFence = (text: string): string => /^\s*```(?:json)?\s*([\s\S]*?)\s*```\s*$/.exec(text)?.[1] ?? text

async function judgingModel(
  scorerName: string,
  model: unknown,
  { objects, writer }: { readonly objects: ObjectSource; readonly writer: ProjectWriter },
): Promise<SourceObject> {
  if (typeof model === 'string' && model.includes(':///')) return await objects.read(writer, model)
  const val = typeof model === 'string' ? { llm_model_id: model } : model
  return { ref: '', name: `${scorerName}’s model`, className: completionModelClass, baseClassName: 'Model', val }
}
