import { plainNumber, postExactly } from '../api/exact-json.ts'
import type { ReviewField } from '../review/fields.ts'
import { type Item, itemsMax } from '../review/queues.ts'
import type { Metric, Ratings, Value } from './coefficients.ts'

interface Feedback {
  readonly feedback_type: string
  readonly annotation_ref?: string | null
  readonly ext_user_id: string
  readonly payload: {
    readonly value?: unknown
    readonly note?: unknown
    readonly by?: unknown
    readonly reason?: unknown
  }
}

type ItemWithFeedback = Item & { readonly feedback?: readonly Feedback[] }

/** The final answer to a question. */
interface FinalAnswer {
  /** Null if it cannot be decided. */
  readonly value: unknown
  readonly by: 'decision' | 'agreement'
  readonly userId: string
  readonly reason: string
}

/** An item with what people said about it. */
export interface JudgedItem {
  readonly item: Item
  /** By the ref of the question, then by person. */
  readonly answers: ReadonlyMap<string, ReadonlyMap<string, unknown>>
  readonly notes: ReadonlyMap<string, string>
  /** By the ref of the question. */
  readonly finals: ReadonlyMap<string, FinalAnswer>
  /** Who has said anything. */
  readonly people: ReadonlySet<string>
}

/** Reads what reviewers answered to the items of a queue, and what is final. */
export const judgementsQuery = (projectId: string, queueId: string) => ({
  queryKey: ['queues', projectId, 'answers', queueId],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<readonly JudgedItem[]> => {
    const body = { project_id: projectId, include_feedback: true, include_position: true, limit: itemsMax }
    const path = `/annotation_queues/${encodeURIComponent(queueId)}/items/query`
    return (await postExactly<{ items: ItemWithFeedback[] }>(path, body, { signal })).items.map(judgedItem)
  },
})

function judgedItem({ feedback = [], ...item }: ItemWithFeedback): JudgedItem {
  const answers = new Map<string, Map<string, unknown>>()
  const notes = new Map<string, string>()
  const finals = new Map<string, FinalAnswer>()
  const people = new Set<string>()
  for (const { feedback_type: type, annotation_ref: ref, ext_user_id: userId, payload } of feedback) {
    if (ref && type.startsWith('final_answer.')) {
      const { value = null, by, reason } = payload
      const own = { value: plainNumber(value), userId, reason: typeof reason === 'string' ? reason : '' }
      finals.set(ref, { ...own, by: by === 'decision' ? 'decision' : 'agreement' })
    } else if (ref) {
      const given = answers.get(ref) ?? new Map<string, unknown>()
      answers.set(ref, given.set(userId, plainNumber(payload.value)))
      people.add(userId)
    } else if (type.endsWith('.note.1') && typeof payload.note === 'string') {
      notes.set(userId, payload.note)
      people.add(userId)
    }
  }
  return { item, answers, notes, finals, people }
}

/** The kind of a question. */
export const kindOf = ({ of }: ReviewField): string => of.kind

/** How answers to a question are compared; undefined if they cannot be. */
export function metricOf({ of }: ReviewField): Metric | undefined {
  if (of.kind === 'scale' || of.kind === 'number') return 'interval'
  return ['boolean', 'choice', 'preference'].includes(of.kind) ? 'nominal' : undefined
}

/** The comparable answers to a question, item by item. */
export const ratingsOf = (judged: readonly JudgedItem[], field: ReviewField): readonly Ratings[] =>
  judged.map(({ item, answers }) => {
    const given = [...(answers.get(field.ref) ?? [])].flatMap(([person, value]): [string, Value][] => {
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return []
      // Of a pair of calls, which of the two: ids would never be equal across items.
      return [[person, kindOf(field) === 'preference' ? value === item.call_id : value]]
    })
    return new Map(given)
  })

/** Whether people gave different answers to a question. */
const differs = (values: Iterable<unknown>): boolean =>
  new Set([...values].map((each) => JSON.stringify(each))).size > 1

/** An item on which reviewers disagree. */
export interface Disagreement {
  readonly judged: JudgedItem
  /** The questions to which they gave different answers. */
  readonly fields: readonly ReviewField[]
  /** Those that ask for a text, which two people never write alike: they need not be decided. */
  readonly texts: readonly ReviewField[]
  readonly isDecided: boolean
}

/** Items that have all their answers, which differ in more than texts. */
export const disagreementsIn = (
  judged: readonly JudgedItem[],
  fields: readonly ReviewField[],
  reviewersPerItem: number,
): readonly Disagreement[] =>
  judged.flatMap((each) => {
    if (each.people.size < Math.max(2, reviewersPerItem)) return []
    const all = fields.filter(({ ref }) => differs(each.answers.get(ref)?.values() ?? []))
    const different = all.filter(({ of }) => of.kind !== 'text')
    if (different.length === 0) return []
    const texts = all.filter(({ of }) => of.kind === 'text')
    const isDecided = different.every(({ ref }) => each.finals.get(ref)?.by === 'decision')
    return [{ judged: each, fields: different, texts, isDecided }]
  })

/** The final answers to an item, by the ref of the question: decisions, or what all answered. */
export function finalAnswersTo(
  { answers, finals, people }: JudgedItem,
  fields: readonly ReviewField[],
  reviewersPerItem: number,
): ReadonlyMap<string, unknown> {
  const known = new Map<string, unknown>()
  for (const { ref } of fields) {
    const decided = finals.get(ref)
    const given = [...(answers.get(ref)?.values() ?? [])]
    if (decided?.by === 'decision') known.set(ref, decided.value)
    else if (people.size >= reviewersPerItem && given.length > 0 && !differs(given)) known.set(ref, given[0])
  }
  return known
}
