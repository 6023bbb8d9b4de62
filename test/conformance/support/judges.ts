import { createObject } from './evaluation-engine.ts'
import { queryFeedback } from './feedback.ts'
import type { Project } from './project.ts'

/** Stores a judge that asks a model of the stub about `inputs.question`; returns its ref. */
export const createJudge = (project: Project, name = 'judge', prompt = 'Judge {question}'): Promise<string> =>
  createObject(project, name, 'LLMAsAJudgeScorer', { model: 'gpt-4o', scoring_prompt: prompt })

/** What scorers have said, by the id of the call. */
export async function scoresOf(project: Project): Promise<Map<string, unknown>> {
  const feedback = await queryFeedback(project)
  return new Map(
    feedback.map(({ ext_ref, payload }) => [
      String(ext_ref).split('/').at(-1)!,
      (payload as { output: unknown }).output,
    ]),
  )
}

/** Calls that begin one second apart, the last one a minute ago, two in each trace. */
export const questions = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const started = Date.now() - 60_000 - (count - index) * 1_000
    return {
      id: `call-${index}`,
      trace_id: `trace-${Math.floor(index / 2)}`,
      op_name: 'ask',
      inputs: { question: `q${index}` },
      output: `a${index}`,
      started_at: new Date(started).toISOString(),
      ended_at: new Date(started + 500).toISOString(),
    }
  })
