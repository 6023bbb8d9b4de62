import { expect, test } from 'bun:test'
import { LiveListener } from '../support/live.ts'
import { ok, Queues } from '../support/queues.ts'
import { freshProject, ownServer } from '../support/target.ts'

const { client } = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })

test('queues and their feedback have weave names', async () => {
  const project = freshProject(client)
  await project.add({ id: 'a' })
  const queues = new Queues(project)
  const scorer_refs = [`weave:///${project.id}/object/stars:v1`]
  const { id } = await ok(queues.create({ scorer_refs }))
  expect((await ok(queues.read(id))).queue.scorer_refs).toEqual(scorer_refs)
  await ok(queues.add(id, ['a']))
  const weave_ref = `weave:///${project.id}/call/a`
  const note = {
    project_id: project.id,
    weave_ref,
    queue_id: id,
    feedback_type: 'wandb.note.1',
    payload: { note: 'n' },
  }
  await ok(client.post('/feedback/create', note))
  const { items } = await ok(queues.items(id, { include_feedback: true }))
  expect(items[0]!.feedback).toMatchObject([{ weave_ref, feedback_type: 'wandb.note.1', queue_id: id }])
  expect(items[0]!.feedback![0]!['wb_user_id']).toBeString()
})

test('a live tail has weave names', async () => {
  const project = freshProject(client)
  const listener = await LiveListener.connect(project)
  await project.start({ id: 'a' })
  const event = await listener.next()
  expect(event?.data).toMatchObject({ id: 'a', wb_user_id: expect.any(String) })
  expect(event?.data).not.toHaveProperty('ext_user_id')
  await listener.close()
})
