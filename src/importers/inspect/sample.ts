import type { ImportedRun, ScoreContent, TrialContent } from '../evaluation/imported-run.ts'
import type { ImportRecord } from '../record.ts'
import { stableUuid } from '../stable-id.ts'
import { eventCalls, latestEnd, notesOf } from './event-calls.ts'
import { type EventNode, EventTree } from './event-tree.ts'
import { isoOf, membersOf, microsOf, numberOf, objectsIn, stated, textOf } from './members.ts'
import { wholeSampleCall } from './model-call.ts'

/** Letters that Inspect's scorers give: correct, partially correct, incorrect, no answer. */
const letters: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0, N: 0 }

/**
 * A score as results compare it: the value, and for letters what Inspect's metrics make of them.
 */
function scoreValue({ value }: Members): Members {
  const number = typeof value === 'string' ? letters[value] : undefined
  return number === undefined ? { value } : { value, score: number, correct: value === 'C' }
}

/** The same with the answer and the explanation. */
const scoreOutput = (score: Members): Members => {
  const { answer, explanation, metadata } = score
  return { ...scoreValue(score), ...stated({ answer, explanation, metadata }) }
}

type Members = Readonly<Record<string, unknown>>

/** Values shared by all samples of a log. */
export interface SampleContext {
  readonly run: ImportedRun
  readonly model: string
  readonly startedAt: number
  readonly origin: Members
}

/** The row of the dataset that a sample was made from. */
export const rowOf = ({ id, input, target, choices, metadata, files, setup, description }: Members): Members => ({
  id,
  input,
  target,
  ...stated({ choices, metadata, files, setup, description }),
})

/** Names of the scorers that have scored a sample. */
export const scorersOf = (sample: Members): string[] => Object.keys(membersOf(sample['scores']))

/** A sample, with its texts in place, as a trial with its calls, and its scores as feedback. */
export function sampleRecords(
  sample: Members,
  context: SampleContext,
): { calls: ImportRecord[]; feedback: ImportRecord[] } {
  const { run, origin } = context
  const tree = new EventTree(objectsIn(sample['events']))
  const times = timesOf(sample, tree.root, context)
  const scores = membersOf(sample['scores'])
  const trial = trialOf(sample, tree.root, { ...context, ...times })
  const scorerNodes = tree.root.children.filter(({ type, name }) => type === 'scorer' && Object.hasOwn(scores, name))
  const others = tree.root.children.filter((node) => !scorerNodes.includes(node))
  const place = { trialId: trial.id, traceId: run.id, origin, ...times }
  const predictionId = run.predictionId(trial.id)
  const results = Object.entries(scores).map(([scorer, score]) => {
    const node = scorerNodes.find(({ name }) => name === scorer)
    return { node, score: scoreContent(scorer, membersOf(score), node, { ...context, ...times }) }
  })
  const hasModel = containsModel(tree.root)
  return {
    calls: [
      ...run.trial(trial),
      ...eventCalls(others, { ...place, parentId: predictionId }),
      ...(hasModel ? [] : wholeSample(sample, context.model, { ...place, parentId: predictionId })),
      ...results.flatMap(({ node, score }) => [
        run.score(trial, score),
        ...eventCalls(node?.children ?? [], { ...place, parentId: run.scoreId(trial.id, score.scorer) }),
      ]),
    ],
    feedback: results.map(({ score }) => run.scoreFeedback(trial.id, score)),
  }
}

interface Times {
  readonly startedAt: number
  readonly endedAt: number
}

/** In older logs the times of a sample follow only from its events. */
function timesOf(sample: Members, root: EventNode, { startedAt: runStartedAt }: SampleContext): Times {
  const firstEvent = microsOf(objectsIn(sample['events'])[0]?.['timestamp'])
  const startedAt = microsOf(sample['started_at']) ?? firstEvent ?? runStartedAt
  const seconds = numberOf(sample['total_time']) ?? 0
  const endedAt = microsOf(sample['completed_at']) ?? latestEnd(root) ?? startedAt + seconds * 1e6
  return { startedAt, endedAt: Math.max(startedAt, endedAt) }
}

function trialOf(sample: Members, root: EventNode, context: SampleContext & Times): TrialContent {
  const { run, origin, startedAt, endedAt } = context
  const { id, epoch, uuid, limit, store, working_time, total_time, error_retries, turn_count } = sample
  const retries = Array.isArray(error_retries) && error_retries.length > 0 ? error_retries : null
  const scores = Object.entries(membersOf(sample['scores'])).map(
    ([scorer, score]) => [scorer, scoreValue(membersOf(score))] as const,
  )
  return {
    id: stableUuid(run.id, 'sample', String(id), String(epoch)),
    row: rowOf(sample),
    output: answerOf(membersOf(sample['output'])),
    exception: textOf(membersOf(sample['error'])['message']) ?? null,
    scores: Object.fromEntries(scores),
    latency: numberOf(total_time) ?? (endedAt - startedAt) / 1e6,
    startedAt: isoOf(startedAt),
    endedAt: isoOf(endedAt),
    attributes: {
      import: origin,
      inspect: stated({ uuid, epoch, limit, store, working_time, total_time, error_retries: retries, turn_count }),
      ...notesOf(root),
    },
  }
}

/** The text that scorers see. */
function answerOf(output: Members): string | null {
  const completion = textOf(output['completion'])
  if (completion !== undefined) return completion
  const content = membersOf(objectsIn(output['choices'])[0]?.['message'])['content']
  if (typeof content === 'string') return content
  const texts = objectsIn(content).flatMap(({ type, text }) => (type === 'text' ? (textOf(text) ?? []) : []))
  return texts.length === 0 ? null : texts.join('\n')
}

function scoreContent(
  scorer: string,
  score: Members,
  node: EventNode | undefined,
  { startedAt, endedAt, origin }: SampleContext & Times,
): ScoreContent {
  const begin = node?.startedAt ?? endedAt
  const end = node === undefined ? endedAt : (node.endedAt ?? latestEnd(node) ?? endedAt)
  return {
    scorer,
    output: scoreOutput(score),
    startedAt: isoOf(Math.max(startedAt, begin)),
    endedAt: isoOf(Math.max(begin, end)),
    attributes: { import: origin, ...(node && notesOf(node)) },
  }
}

const containsModel = (node: EventNode): boolean => node.type === 'model' || node.children.some(containsModel)

function wholeSample(
  sample: Members,
  model: string,
  place: Times & { trialId: string; traceId: string; parentId: string; origin: Members },
): ImportRecord[] {
  const whole = wholeSampleCall(sample, model)
  if (whole === undefined) return []
  const { attributes, usage, ...content } = whole
  const call = {
    id: stableUuid(place.trialId, 'model'),
    trace_id: place.traceId,
    parent_id: place.parentId,
    op_name: 'inspect.model',
    started_at: isoOf(place.startedAt),
    ended_at: isoOf(place.endedAt),
    attributes: { ...attributes, import: place.origin },
    summary: usage === undefined ? {} : { usage },
    ...content,
  }
  return [{ kind: 'call', call }]
}
