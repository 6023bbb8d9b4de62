import { itemAt } from '../../lib/present.ts'
import { post, problemOf, reach, sendJson } from '../api/client.ts'
import { createKey } from '../api/keys.ts'
import { base } from '../base.ts'
import { isAdmin } from '../state/session.ts'
import { storeObject } from './store-object.ts'

const queueName = 'Answers of the airline agent'
const itemsMax = 30
const displayFields = ['inputs', 'output']
const keyHours = 1

const guidelines = `**Read the request first, then the answer.** Judge what the traveller gets, not how it is put.

1. *resolved*: the request is done, or refused for a reason that the policy names.
2. *problem*: the worst one, if there is one.
3. *tone*: 1 is rude, 3 is correct, 5 is a pleasure.

Skip what you cannot judge, and say why.`

const problems = ['none', 'changed without a yes', 'wrong amount', 'no answer', 'unclear']

/** The questions of the queue, in their order. */
const questions = [
  {
    name: 'resolved',
    description: 'Is the request done, or refused for a reason that the policy names?',
    field_schema: { type: 'boolean' },
  },
  {
    name: 'problem',
    description: 'The worst problem of the answer',
    field_schema: { type: 'string', enum: problems },
  },
  {
    name: 'tone',
    description: '1 is rude, 5 is a pleasure',
    field_schema: { type: 'integer', minimum: 1, maximum: 5 },
  },
]

/** What a reviewer of the demo does with an item: answers to the questions, or a reason to skip. */
type Given = { readonly values: readonly unknown[]; readonly note: string } | { readonly skip: string }

interface DemoReviewer {
  readonly name: string
  /** Items that the reviewer looks at, from the first. */
  readonly items: number
  readonly judges: (index: number) => Given
}

const seen = (index: number): readonly [boolean, string, number] => {
  const isResolved = index % 5 !== 3
  return [
    isResolved,
    isResolved ? 'none' : itemAt(problems, 1 + (index % 4)),
    isResolved ? 4 + (index % 2) : 2 + (index % 2),
  ]
}

/** Half of the items, one after the other. The second reviewer sees three of them otherwise. */
const reviewers: readonly DemoReviewer[] = [
  {
    name: 'Ana',
    items: 17,
    judges: (index) => (index === 8 ? { skip: 'Not enough context' } : { values: seen(index), note: '' }),
  },
  {
    name: 'Noah',
    items: 14,
    judges: (index) => {
      if (index === 5 || index === 11) return { skip: 'I do not know this policy' }
      const [isResolved, problem, tone] = seen(index)
      if (index === 4) {
        return {
          values: [!isResolved, 'changed without a yes', 2],
          note: 'The traveller never said yes to the price.',
        }
      }
      return { values: [isResolved, index === 9 ? 'unclear' : problem, index === 7 ? tone - 1 : tone], note: '' }
    },
  },
]

/**
 * Stores a half-reviewed queue with the answers of two people, over calls of the demo. If the
 * caller may not create keys for these people, the queue is stored without answers.
 *
 * @param calls ids of calls that have an answer
 * @param onProgress called with the number of items that were reviewed, and that will be
 * @throws {Problem}
 */
export async function storeDemoQueue(
  projectId: string,
  calls: readonly string[],
  onProgress: (done: number, all: number) => void,
): Promise<void> {
  const all = reviewers.reduce((sum, { items }) => sum + items, 0)
  let done = 0
  onProgress(done, all)
  const refs: string[] = []
  for (const question of questions) refs.push(await storeObject(projectId, question.name, question, 'AnnotationSpec'))
  const description = 'What people say of the answers, to compare with the judge.'
  const body = { project_id: projectId, name: queueName, description, scorer_refs: refs }
  const { id } = await post<{ id: string }>('/annotation_queues', body)
  const queue = `/annotation_queues/${encodeURIComponent(id)}`
  await sendJson('PUT', `${queue}/review`, { project_id: projectId, reviewers_per_item: 2, guidelines })
  const call_ids = calls.slice(0, itemsMax)
  await post(`${queue}/items`, { project_id: projectId, call_ids, display_fields: displayFields })
  if (!isAdmin.peek()) return
  const { items } = await post<{ items: { id: string }[] }>(`${queue}/items/query`, {
    project_id: projectId,
    include_position: true,
    limit: itemsMax,
  })
  // One after the other, and their keys stay until they expire: answers of people whose key is
  // gone have no name.
  const expires_at = new Date(Date.now() + keyHours * 3_600_000).toISOString()
  for (const { name, items: count, judges } of reviewers) {
    const { key } = await createKey({ name, role: 'write', scope: projectId, expires_at })
    for (const [index, item] of items.slice(0, count).entries()) {
      const path = `${queue}/items/${encodeURIComponent(item.id)}`
      await postAs(key, `${queue}/claim`, { project_id: projectId, item_id: item.id })
      const given = judges(index)
      if ('skip' in given) await postAs(key, `${path}/skip`, { project_id: projectId, reason: given.skip })
      else {
        const answers = given.values.map((value, at) => ({ annotation_ref: itemAt(refs, at), value }))
        await postAs(key, `${path}/submit`, { project_id: projectId, answers, note: given.note || null })
      }
      onProgress(++done, all)
    }
  }
}

/** Calls an operation with a key instead of the session. @throws {Problem} */
async function postAs(key: string, path: string, body: object): Promise<void> {
  const response = await reach(base + path, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw await problemOf(response)
  await response.arrayBuffer()
}
