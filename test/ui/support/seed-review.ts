import type { Project } from '../../conformance/support/project.ts'
import { ok, Queues } from '../../conformance/support/queues.ts'
import { annotationSpecOf } from '../../conformance/support/reviewed-queue.ts'

/** Makes a key of the server. */
export type CreateKey = (key: { name: string; role: 'write'; scope: string }) => Promise<string>

const failures = ['wrong tool argument', 'claimed a write that failed', 'no confirmation', 'other']

/** A queue that two people have answered, who disagree on some items; two items are gold. */
export async function createJudgedQueue(
  project: Project,
  callIds: readonly string[],
  keys: readonly string[],
): Promise<string> {
  const queues = new Queues(project)
  const refs = [
    await annotationSpecOf(project, 'policy_followed', { type: 'boolean' }),
    await annotationSpecOf(project, 'failure_kind', { type: 'string', enum: failures }),
    await annotationSpecOf(project, 'tone', { type: 'integer', minimum: 1, maximum: 5 }),
  ]
  const { id } = await ok(queues.create({ name: 'Failed upgrades, week 47', scorer_refs: refs }))
  await ok(queues.setReview(id, { reviewers_per_item: 2 }))
  await ok(queues.add(id, callIds))
  const { items } = await ok(queues.items(id))
  const known = [{ annotation_ref: refs[0], value: true }]
  for (const item of items.slice(0, 2)) await ok(queues.setGold(id, item.id, known))
  const reasons = ['not enough context', 'not my language', 'not enough context']
  for (const [who, key] of keys.entries()) {
    const person = new Queues(project.withKey(key))
    for (const [index, item] of items.slice(0, callIds.length - 2 - who * 3).entries()) {
      await ok(person.claim(id, { item_id: item.id }))
      const isApart = who === 1 && index % 6 === 5
      const values = [(index % 4 !== 0) !== isApart, failures[(index + (isApart ? 1 : 0)) % 4], 1 + ((index + who) % 5)]
      const answers = values.map((value, at) => ({ annotation_ref: refs[at], value }))
      const note = isApart ? 'The agent said the charge was made. The write had failed.' : null
      await ok(person.submit(id, item.id, { answers: index % 3 === 0 ? answers : answers.slice(0, 2), note }))
    }
    const reason = reasons[who] ?? ''
    const { claim } = await ok(person.claim(id))
    if (claim !== null) await ok(person.skip(id, claim.item.id, reason))
  }
  return id
}
