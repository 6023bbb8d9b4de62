import { seededRandom } from '../../../src/lib/seeded-random.ts'
import type { Project } from '../../conformance/support/project.ts'

/** The runs of a comparison, and what was made for them. */
export interface SeededRuns {
  /** Runs by letter: B better, C worse and cheap, D scored with another version of the judge. */
  readonly ids: readonly string[]
  readonly evaluation: string
}

const rowCount = 80
const models = [
  { name: 'gpt-4o', agent: 'agent-a', pass: 0.5, price: 600, seconds: 24, failed: 2 },
  { name: 'gpt-4o', agent: 'agent-b', pass: 0.85, price: 700, seconds: 30, failed: 1 },
  { name: 'gpt-4o-mini', agent: 'agent-c', pass: 0.15, price: 90, seconds: 14, failed: 4 },
  { name: 'gpt-4o', agent: 'agent-d', pass: 0.55, price: 500, seconds: 22, failed: 1 },
] as const

/**
 * Four runs of an evaluation of 80 rows with two scores: the fourth was scored with another version
 * of the judge. The same at every run.
 */
export async function seedRuns(project: Project, runs = 4): Promise<SeededRuns> {
  const random = seededRandom(11)
  const object = async (object_id: string, builtin_object_class: string | undefined, val: object) => {
    const obj = { project_id: project.id, object_id, val, ...(builtin_object_class && { builtin_object_class }) }
    const { status, json, text } = await project.client.post<{ digest: string }>('/obj/create', { obj })
    if (status !== 200) throw new Error(`Create the object ${object_id}: ${status} ${text}`)
    return `ext:///${project.id}/object/${object_id}:${json.digest}`
  }
  const judge = (scoring_prompt: string) =>
    object('policy_judge', 'LLMAsAJudgeScorer', { model: 'gpt-4o', scoring_prompt })
  const judges = [await judge('Does {output} follow the policy?'), await judge('Is {output} in line with the policy?')]
  const exact = await object('task_solved', 'ExactMatchScorer', {})
  const evaluation = await object('airline-solve', undefined, {
    _type: 'Evaluation',
    _class_name: 'Evaluation',
    _bases: ['Object', 'BaseModel'],
    name: 'airline-solve',
    scorers: [exact, judges[0]],
    dataset: `ext:///${project.id}/object/airline-golden:v4`,
  })
  const solved = Array.from({ length: rowCount }, () => random())
  const ids: string[] = []
  for (const [place, model] of models.slice(0, runs).entries()) {
    const modelRef = await object(model.agent, undefined, { _type: 'Model', name: model.agent, llm: model.name })
    const id = `run-${project.id.replaceAll('/', '-')}-${place}`
    ids.push(id)
    const startedMs = Date.parse('2026-11-20T10:00:00Z') + place * 3_600_000
    const at = (ms: number) => new Date(startedMs + ms).toISOString()
    const base = { project_id: project.id, trace_id: id, attributes: {} }
    const calls: Parameters<Project['complete']> = [
      {
        ...base,
        id,
        op_name: `ext:///${project.id}/op/Evaluation.evaluate:e1`,
        display_name: `${model.name} ${model.agent}`,
        started_at: at(0),
        ended_at: at(3_000_000),
        inputs: { self: evaluation, model: modelRef },
        output: {},
        summary: {},
      },
    ]
    for (let row = 0; row < rowCount; row++) {
      const hasFailed = row % 19 === place && row / 19 < model.failed
      const passes = (solved[row] ?? 0) * 0.6 + random() * 0.4 < model.pass
      const grade = 1 + Math.min(4, Math.floor(random() * 3) + (passes ? 2 : 0))
      const trial = `${id}-${row}`
      const example = {
        task: `${tasks[row % tasks.length]} ${row + 1}`,
        tag: ['cabin-change', 'refund', 'baggage'][row % 3],
        expected: 'Quote the fare and ask for a yes.',
      }
      const price = `$${90 + row} ${passes ? 'for both segments' : 'in total'}`
      const output = `The change of reservation ${row + 1} costs ${price}. Shall I charge the card ending in 7334?`
      const isScored = (row + 7 * place) % 40 !== 5
      const judged = { score: grade, reason: passes ? 'asks before the write' : 'no confirmation before the write' }
      const scores = { task_solved: passes, ...(isScored && { policy_judge: judged }) }
      const startMs = row * 30_000
      const endMs = startMs + 1_000 * (model.seconds + (row % 7))
      const inputs = { self: evaluation, model: modelRef, example }
      calls.push({
        ...base,
        id: trial,
        parent_id: id,
        op_name: `ext:///${project.id}/op/Evaluation.predict_and_score:p1`,
        started_at: at(startMs),
        ended_at: at(endMs),
        inputs,
        ...(hasFailed
          ? { output: { output: null, scores: {} }, exception: '429 after 3 tries' }
          : { output: { output, scores, model_latency: { mean: model.seconds } } }),
        summary: {},
      })
      if (hasFailed) continue
      const tokens = model.price * 10 + row
      calls.push({
        ...base,
        id: `${trial}-p`,
        parent_id: trial,
        op_name: `ext:///${project.id}/op/Model.predict:g1`,
        started_at: at(startMs),
        ended_at: at(endMs - 100),
        inputs: { self: modelRef, ...example },
        output,
        summary: {
          usage: {
            [model.name]: { prompt_tokens: tokens, completion_tokens: 60, total_tokens: tokens + 60, requests: 1 },
          },
        },
      })
      const scorers = [
        { name: 'task_solved', ref: exact, value: scores.task_solved },
        ...(isScored ? [{ name: 'policy_judge', ref: judges[place === 3 ? 1 : 0], value: judged }] : []),
      ]
      for (const { name, ref, value } of scorers) {
        calls.push({
          ...base,
          id: `${trial}-${name}`,
          parent_id: trial,
          op_name: `ext:///${project.id}/op/${name}.score:s1`,
          started_at: at(endMs - 90),
          ended_at: at(endMs - 10),
          inputs: { self: ref, output },
          output: value,
          summary: {},
        })
      }
    }
    await project.complete(...calls)
  }
  return { ids, evaluation }
}

/** A leaderboard over the runs of a project, as the SDK for Python writes it. */
export async function seedLeaderboard(project: Project, evaluation: string): Promise<void> {
  const column = (scorer_name: string, summary_metric_path: string) => ({
    _type: 'LeaderboardColumn',
    _class_name: 'LeaderboardColumn',
    _bases: ['BaseModel'],
    evaluation_object_ref: evaluation,
    scorer_name,
    summary_metric_path,
    should_minimize: null,
  })
  const val = {
    _type: 'Leaderboard',
    _class_name: 'Leaderboard',
    _bases: ['Object', 'BaseModel'],
    name: 'Airline agents',
    description: 'By the newest run of each.',
    columns: [column('task_solved', 'true_fraction'), column('policy_judge', 'score.mean')],
  }
  const obj = { project_id: project.id, object_id: 'airline-agents', val }
  const { status, text } = await project.client.post('/obj/create', { obj })
  if (status !== 200) throw new Error(`Create the leaderboard: ${status} ${text}`)
}

const tasks = ['Upgrade to business, reservation', 'Refund a delayed flight, reservation', 'Add a bag to reservation']
