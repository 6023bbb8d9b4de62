import { beforeAll, expect, test } from 'bun:test'
import { queryFeedback } from '../../conformance/support/feedback.ts'
import { Project } from '../../conformance/support/project.ts'
import { ok, Queues } from '../../conformance/support/queues.ts'
import { checkAccessibility } from '../support/accessibility.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

let projects = 0

/** A queue of three calls that nobody has answered. */
async function withQueue(review: Record<string, unknown> = {}) {
  const project = new Project(world.server.client, 'acme', `review-${++projects}`)
  const ids = ['one', 'two', 'three']
  await project.add(...ids.map((id) => ({ id, inputs: { question: `Question ${id}` }, output: `Answer ${id}` })))
  const queues = new Queues(project)
  const { id } = await ok(queues.create({ name: 'Refunds' }))
  await ok(queues.setReview(id, review))
  await ok(queues.add(id, ids))
  return { project, queues, id, path: `/ui/${project.id}/queue/${id}` }
}

test('a form is made, and items are answered, skipped and undone by keys alone', async () => {
  const { project, queues, id, path } = await withQueue()
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(path)
    await page.getByRole('button', { name: 'Actions on the queue' }).click()
    await page.getByRole('menuitem', { name: 'Reviewers, form and guidelines' }).click()
    await page.getByRole('combobox', { name: 'Reviewers for each item' }).selectOption('2')
    await page.getByRole('textbox', { name: 'Guidelines' }).fill('- Judge the agent')
    await page.getByRole('button', { name: 'Add a question' }).click()
    await page.getByRole('textbox', { name: 'Question 1' }).fill('Was the policy followed?')
    await page.getByRole('button', { name: 'Add a question' }).click()
    await page.getByRole('textbox', { name: 'Question 2' }).fill('What failed first?')
    await page.getByRole('combobox', { name: 'Answer' }).last().selectOption('choice')
    await page.getByRole('textbox', { name: 'Choices' }).fill('Wrong tool, No confirmation')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('2 reviewers an item').waitFor()

    await page.keyboard.press('r')
    await page.getByText('Question one').waitFor()
    await page.getByText('Judge the agent').waitFor()
    await page.getByText('0 of 3').waitFor()
    await page.getByText('next item is loaded').waitFor()
    // Something is missing: the item stays.
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('needed').first().waitFor()
    await page.keyboard.press('n')
    await page.getByRole('button', { name: 'No', pressed: true }).waitFor()
    await page.keyboard.press('2')
    await page.getByRole('button', { name: 'No confirmation', pressed: true }).waitFor()
    await page.keyboard.press('m')
    await page.keyboard.type('It did not ask')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('Question two').waitFor()
    await page.getByText('1 of 3').waitFor()

    await page.keyboard.press('s')
    await page.getByRole('button', { name: 'not my language' }).click()
    await page.getByText('Question three').waitFor()

    // Back to the skipped one, then to the first, whose answer is there.
    await page.keyboard.press('u')
    await page.getByText('Question two').waitFor()
    await page.keyboard.press('u')
    await page.getByText('Question one').waitFor()
    await page.getByRole('button', { name: 'No', exact: true, pressed: true }).waitFor()
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('Question one').waitFor({ state: 'detached' })
  })
  const found = await queryFeedback(project, { fields: ['payload', 'queue_id', 'call_id'] })
  expect(found.map(({ payload, call_id }) => ({ payload, call_id }))).toEqual(
    expect.arrayContaining([
      { payload: { value: true }, call_id: 'one' },
      { payload: { value: 'No confirmation' }, call_id: 'one' },
      { payload: { note: 'It did not ask' }, call_id: 'one' },
    ]),
  )
  expect(found).toHaveLength(3)
  expect((await ok(queues.overview([id]))).queues).toMatchObject([{ answers: 1, skips: 1 }])
})

test('what was answered and skipped is listed, and opened again after a reload', async () => {
  const { project, queues, id, path } = await withQueue()
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`${path}/work`)
    const note = page.getByRole('textbox', { name: /^Note/ })
    await page.getByText('Question one').waitFor()
    await note.fill('First')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('Question two').waitFor()
    await page.keyboard.press('s')
    await page.getByRole('textbox', { name: 'Another reason' }).fill('too long')
    await page.keyboard.press('Enter')
    await page.getByText('Question three').waitFor()
    await page.reload()
    await page.getByText('Question three').waitFor()

    await page.keyboard.press('l')
    await page.getByRole('button', { name: 'Skipped, by reason' }).click()
    await page.getByRole('heading', { name: 'too long, 1' }).waitFor()
    await page.getByRole('button', { name: 'Answered by you' }).click()
    await page.getByRole('button', { name: 'Reopen item 1' }).click()
    await page.getByText('Question one').waitFor()
    await page.getByText('You change an answer that is stored.').waitFor()
    expect(await note.inputValue()).toBe('First')
    await note.fill('Changed')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('Question three').waitFor()
  })
  expect(await queryFeedback(project, { fields: ['payload'] })).toEqual([{ payload: { note: 'Changed' } }])
  expect((await ok(queues.overview([id]))).queues).toMatchObject([{ answers: 1, skips: 1 }])
})

test('the last 20 steps can be undone, the latest first', async () => {
  const { project, queues, id, path } = await withQueue()
  const more = Array.from({ length: 19 }, (_, index) => `more-${String(index).padStart(2, '0')}`)
  await project.add(...more.map((call) => ({ id: call, inputs: { question: `Question ${call}` }, output: 'Answer' })))
  await ok(queues.add(id, more))
  const person = new Queues(project.withKey(await world.keyOf('admin')))
  const order = [...['one', 'two', 'three'], ...more]
  const { items } = await ok(queues.items(id, { limit: 100 }))
  for (const name of order.slice(0, 21)) {
    const item = items.find(({ call_id }) => call_id === name)!
    await ok(person.claim(id, { item_id: item.id }))
    await ok(person.submit(id, item.id, { answers: [], note: `Note on ${name}` }))
  }
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`${path}/work`)
    await page.getByText('Question more-18').first().waitFor()
    const note = page.getByRole('textbox', { name: /^Note/ })
    for (const name of order.slice(1, 21).toReversed()) {
      await page.keyboard.press('u')
      await page.getByText(`Question ${name}`).first().waitFor()
      expect(await note.inputValue()).toBe(`Note on ${name}`)
    }
    expect(await page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true)
  })
}, 120_000)

test('an answer whose lease has ended is refused and kept, and saved after another claim', async () => {
  const { project, queues, id, path } = await withQueue({ lease_seconds: 3 })
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo(`${path}/work`)
      await page.getByRole('textbox', { name: /^Note/ }).fill('Kept')
      // As if the page had slept: its lease is given to nobody, but it is over.
      const { items } = await ok(queues.items(id))
      await ok(new Queues(project.withKey(await world.keyOf('admin'))).release(id, items[0]!.id))
      await page.getByText('Not saved: your lease on this item has ended.').waitFor()
      expect(await page.getByRole('textbox', { name: /^Note/ }).inputValue()).toBe('Kept')
      await page.getByRole('button', { name: 'Claim again' }).click()
      await page.getByText('Not saved').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Save and next' }).click()
      await page.getByText('Question two').waitFor()
    },
    { expected: [/409/] },
  )
  expect(await queryFeedback(project, { fields: ['payload'] })).toMatchObject([{ payload: { note: 'Kept' } }])
})

test('a queue says how much two people agree on each question', async () => {
  const { client } = world.server
  const project = new Project(client, 'acme', `review-${++projects}`)
  const ids = Array.from({ length: 12 }, (_, index) => `call-${index}`)
  await project.add(...ids.map((id) => ({ id })))
  const val = { _type: 'AnnotationSpec', _class_name: 'AnnotationSpec', _bases: ['Object', 'BaseModel'] }
  const refs: string[] = []
  for (const [name, field_schema] of [
    ['Polite', { type: 'boolean' }],
    ['Why', { type: 'string' }],
  ] as const) {
    const obj = { project_id: project.id, object_id: name, val: { ...val, name, field_schema } }
    const { digest } = (await client.post<{ digest: string }>('/obj/create', { obj })).json
    refs.push(`ext:///${project.id}/object/${name}:${digest}`)
  }
  const queues = new Queues(project)
  const { id } = await ok(queues.create({ name: 'Tone', scorer_refs: refs }))
  await ok(queues.setReview(id, { reviewers_per_item: 2 }))
  await ok(queues.add(id, ids))
  const people = [await world.keyOf('admin'), await world.keyOf('write')].map((key) => new Queues(project.withKey(key)))
  for (const [index, { id: item }] of (await ok(queues.items(id))).items.entries()) {
    for (const [who, person] of people.entries()) {
      await ok(person.claim(id, { item_id: item }))
      // They differ on one item.
      const value = index === 0 ? who === 0 : index % 2 === 0
      await ok(person.submit(id, item, { answers: [{ annotation_ref: refs[0], value }] }))
    }
  }
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo(`/ui/${project.id}/queue/${id}`)
      const agreement = page.getByRole('region', { name: 'Agreement' })
      // scikit-learn 1.9.1, cohen_kappa_score
      await agreement.getByText('0.83').first().waitFor()
      await agreement.getByText('n 12').first().waitFor()
      expect(await agreement.getByText('Why').count()).toBe(0)
    },
    { role: 'read' },
  )
})

test('a queue is assigned to people, and others see whose it is', async () => {
  const { project, queues, id, path } = await withQueue()
  const key = await world.keyOf('write')
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(path)
    await page.getByRole('button', { name: 'Actions on the queue' }).click()
    await page.getByRole('menuitem', { name: 'Reviewers, form and guidelines' }).click()
    const people = page.getByRole('group', { name: 'Assigned to' })
    await people.getByText('No one is selected: anyone with write access can review.').waitFor()
    await people.getByRole('checkbox', { name: 'ui-write' }).focus()
    await page.keyboard.press('Space')
    await people.getByText('Only these people get items.').waitFor()
    expect((await checkAccessibility(page)).violations).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('assigned to ui-write').waitFor()
    // Whose queue it is not reviews nothing, by button, key or address.
    expect(await page.getByRole('button', { name: 'Review', exact: true }).count()).toBe(0)
    await visit.goTo(`${path}/work`)
    await page.getByRole('heading', { name: 'This queue is assigned to other people' }).waitFor()
    await page.getByText('Its items are for ui-write.').waitFor()
    expect((await checkAccessibility(page)).violations).toEqual([])
  })
  await world.visit(
    async (visit) => {
      await visit.goTo(`${path}/work`)
      await visit.page.getByText('Question one').waitFor()
      // Who is no admin can take themselves off, and sees those who are assigned.
      await visit.goTo(path)
      await visit.page.getByText('assigned to you').waitFor()
      // The list of queues follows how much waits for them.
      await visit.goTo(`/ui/${project.id}/queues`)
      const row = visit.page.getByRole('link', { name: 'Refunds' })
      await row.getByText('3 items for you').waitFor()
      const own = new Queues(project.withKey(key))
      await ok(own.submit(id, (await ok(own.claim(id))).claim!.item.id))
      await row.getByText('2 items for you').waitFor()
      expect(await visit.page.locator('footer').getByText('2 items for you').count()).toBe(1)
      expect((await checkAccessibility(visit.page)).violations).toEqual([])
    },
    { role: 'write' },
  )
  expect((await ok(queues.overview([id]))).queues[0]?.assigned_names).toEqual(['ui-write'])
})
