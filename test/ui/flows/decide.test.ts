import { beforeAll, expect, test } from 'bun:test'
import { queryFeedback } from '../../conformance/support/feedback.ts'
import { Project } from '../../conformance/support/project.ts'
import { ok, Queues } from '../../conformance/support/queues.ts'
import { annotationSpecOf } from '../../conformance/support/reviewed-queue.ts'
import { checkAccessibility } from '../support/accessibility.ts'
import { seedRuns } from '../support/seed-runs.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

let projects = 0

/** A queue of predictions of a run with one question, which two people answer by the API. */
async function withRun(): Promise<{ project: Project; queues: Queues; path: string }> {
  const project = new Project(world.server.client, 'acme', `decide-${++projects}`)
  await seedRuns(project, 1)
  return { project, queues: new Queues(project), path: `/ui/${project.id}` }
}

/** Two people answer every item; they differ on each fourth one. */
async function answerAll(project: Project, id: string, ref: string): Promise<void> {
  const people = [await world.keyOf('admin'), await world.keyOf('write')].map((key) => new Queues(project.withKey(key)))
  const { items } = await ok(new Queues(project).items(id))
  for (const [index, item] of items.entries()) {
    for (const [who, person] of people.entries()) {
      await ok(person.claim(id, { item_id: item.id }))
      const value = index % 4 === 3 ? who === 0 : index % 2 === 0
      const note = index % 4 === 3 ? `Seen by ${who === 0 ? 'the first' : 'the second'}` : null
      await ok(person.submit(id, item.id, { answers: [{ annotation_ref: ref, value }], note }))
    }
  }
}

test('from a filter to answers, agreement, decisions, a dataset and a judge check', async () => {
  const { project, queues, path } = await withRun()
  const ref = await annotationSpecOf(project, 'policy_followed', { type: 'boolean' })
  const { id } = await ok(queues.create({ name: 'Refunds', scorer_refs: [ref] }))
  await ok(queues.setReview(id, { reviewers_per_item: 2 }))
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`${path}/queue/${id}`)
    await page.keyboard.press('a')
    await page.getByRole('button', { name: 'Calls' }).click()
    const filter = page.getByRole('combobox')
    await filter.fill('op = "Model.predict"')
    await filter.press('Enter')
    await page.getByText(/^\d+ calls match\.$/).waitFor()
    await page.getByRole('textbox', { name: 'At most' }).fill('12')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('12 items added to “Refunds”').waitFor()
    // The same again adds nothing, and says so before.
    await page.keyboard.press('a')
    await page.getByRole('button', { name: 'Calls' }).click()
    await filter.fill('op = "Model.predict"')
    await filter.press('Enter')
    await page.getByText('12 of them are in the queue already.').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  })
  await answerAll(project, id, ref)
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`${path}/queue/${id}`)
    await page.getByText('24 of 24 answers').waitFor()
    // Three of twelve differ: scikit-learn 1.9.1, cohen_kappa_score: 0.5.
    const agreement = page.getByRole('region', { name: 'Agreement' })
    await agreement.getByText('0.50', { exact: true }).first().waitFor()
    await agreement.getByText('9 of 12 items equal, 75.0%').waitFor()
    const list = page.getByRole('table', { name: 'Disagreements' })
    expect(await list.getByRole('link', { name: /^Decide: Item/ }).count()).toBe(3)

    await page.keyboard.press('v')
    await page.getByText('0 of 3 decided').waitFor()
    await page.getByText('“Seen by the first”').waitFor()
    await page.keyboard.press('1')
    await page.keyboard.press('m')
    await page.keyboard.type('The first is right')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('1 of 3 decided').waitFor()
    await page.keyboard.press('u')
    await page.getByText('0 of 3 decided').waitFor()
    expect(await page.getByRole('textbox', { name: /Reason/ }).inputValue()).toBe('The first is right')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('1 of 3 decided').waitFor()
    // Skipped, it comes again after the others.
    await page.keyboard.press('s')
    await page.keyboard.press('2')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('2 of 3 decided').waitFor()
    await page.reload()
    await page.getByText('2 of 3 decided').waitFor()
    await page.getByRole('button', { name: 'Cannot be decided' }).click()
    await page.getByRole('button', { name: 'Decide and next' }).click()
    await page.getByText('All decided: 3 of 3.').waitFor()
    await page.getByRole('link', { name: 'Open the queue' }).click()

    await page.getByRole('button', { name: '11 items to dataset' }).click()
    await page.getByRole('menuitem', { name: 'Rows of a dataset…' }).click()
    await page.waitForURL(/calls-to-dataset\?queue=/)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('policy')
    await page.getByRole('button', { name: 'Add 11 rows' }).click()
    await page.getByText('11 rows added to “policy”').waitFor()
    await page.waitForURL(`**${path}/queue/${id}`)
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.waitForURL(/datasets\/policy/)
    await page.getByText('policy_followed').first().waitFor()

    await visit.goTo(`${path}/queue/${id}`)
    await page.getByRole('button', { name: '11 items to dataset' }).click()
    await page.getByRole('menuitem', { name: 'Labels of a judge check…' }).click()
    await page.waitForURL(/evaluations\/judge\?runs=.*human=feedback%3Afinal_answer\.policy_followed%23value/)
    await page.getByRole('button', { name: 'All pairs 11' }).waitFor()
  })
  const rows = await queryFeedback(project, { fields: ['feedback_type', 'payload'] })
  const finals = rows.filter(({ feedback_type }) => feedback_type === 'final_answer.policy_followed')
  const by = Map.groupBy(finals, ({ payload }) => (payload as { by: string }).by)
  expect(by.get('decision')).toHaveLength(3)
  expect(by.get('agreement')).toHaveLength(9)
  // Each row leads back to its call.
  const { json } = await project.client.post<{ objs: { digest: string; val: { rows: string } }[] }>('/objs/query', {
    project_id: project.id,
    filter: { object_ids: ['policy'], latest_only: true },
  })
  const digest = json.objs[0]?.val.rows.split('/').at(-1)
  const table = await project.client.post<{ rows: { val: Record<string, unknown> }[] }>('/table/query', {
    project_id: project.id,
    digest,
  })
  expect(table.json.rows).toHaveLength(11)
  for (const { val } of table.json.rows) {
    expect(typeof val['policy_followed']).toBe('boolean')
    expect(String(val['call'])).toContain('/call/')
  }
})

test('known answers are set by an admin, and only an admin sees who is right', async () => {
  const { project, queues, path } = await withRun()
  const ref = await annotationSpecOf(project, 'policy_followed', { type: 'boolean' })
  const { id } = await ok(queues.create({ name: 'Refund rules', scorer_refs: [ref] }))
  await ok(queues.setReview(id, { reviewers_per_item: 2 }))
  await ok(
    queues.addByQuery(id, {
      limit: 4,
      query: { $expr: { $contains: { input: { $getField: 'op_name' }, substr: { $literal: 'predict:' } } } },
    }),
  )
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`${path}/queue/${id}?tab=items`)
    await page.getByRole('checkbox', { name: 'Select item 1' }).click()
    await page.getByRole('button', { name: 'Known answer…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'yes' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The known answer is saved').waitFor()
    await page.getByText('gold', { exact: true }).waitFor()
  })
  await answerAll(project, id, ref)
  await world.visit(async (visit) => {
    await visit.goTo(`${path}/queue/${id}`)
    await visit.page.getByText('1 of 1').first().waitFor()
    await visit.page.getByText('1 gold item inside').waitFor()
  })
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo(`${path}/queue/${id}`)
      await page.getByText('8 of 8 answers').waitFor()
      expect(await page.getByText(/gold/i).count()).toBe(0)
      await visit.goTo(`${path}/queue/${id}?tab=items`)
      await page.getByRole('checkbox', { name: 'Select item 1' }).click()
      expect(await page.getByRole('button', { name: 'Known answer…' }).count()).toBe(0)
    },
    { role: 'write' },
  )
})

test('of written answers the words that differ are marked; texts may be decided, corrections must', async () => {
  const project = new Project(world.server.client, 'acme', `decide-${++projects}`)
  const queues = new Queues(project)
  await project.add({ id: 'one', output: 'The fare is 30 dollars.' })
  const refs = {
    better: await annotationSpecOf(project, 'better', { type: ['string', 'object'], format: 'corrected-output' }),
    why: await annotationSpecOf(project, 'why', { type: 'string' }),
    where: await annotationSpecOf(project, 'where', { type: 'string' }),
  }
  const { id } = await ok(queues.create({ name: 'Fares', scorer_refs: Object.values(refs) }))
  await ok(queues.setReview(id, { reviewers_per_item: 2 }))
  await ok(queues.add(id, ['one']))
  const { items } = await ok(queues.items(id))
  const given = {
    better: ['The fare is 40 dollars.', 'The fare is 45 dollars.'],
    why: [
      'The tool said forty\nand the agent did not read it',
      'The tool said forty-five\nand the agent did not read it',
    ],
    where: ['Second turn', 'Second turn'],
  }
  for (const [who, role] of (['admin', 'write'] as const).entries()) {
    const person = new Queues(project.withKey(await world.keyOf(role)))
    await ok(person.claim(id, { item_id: items[0]!.id }))
    const answers = Object.entries(given).map(([name, values]) => ({
      annotation_ref: refs[name as keyof typeof refs],
      value: values[who],
    }))
    await ok(person.submit(id, items[0]!.id, { answers }))
  }
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/queue/${id}/adjudicate`)
    const better = page.getByRole('group', { name: /^better/ })
    const why = page.getByRole('group', { name: /^why/ })
    await better.locator('mark').nth(1).waitFor()
    expect((await better.locator('mark').allTextContents()).toSorted()).toEqual(['40', '45'])
    await why.getByText('need not be decided').waitFor()
    expect(await why.locator('mark').allTextContents()).toEqual(['-five'])
    // What all wrote alike is one line.
    expect(await page.getByRole('group', { name: /^where/ }).count()).toBe(0)
    expect((await checkAccessibility(page)).violations).toEqual([])
    await page.getByText('1 of 1 question left').waitFor()
    await page.keyboard.press('1')
    await page.getByText('All answers are kept.', { exact: true }).waitFor()
    // The next question is the text, which may be decided too.
    await page.keyboard.press('2')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('All decided: 1 of 1.').waitFor()
  })
  const rows = await queryFeedback(project, { fields: ['feedback_type', 'payload'] })
  const decided = rows.filter(({ payload }) => (payload as { by?: string }).by === 'decision')
  expect(decided.map(({ feedback_type }) => feedback_type).toSorted()).toEqual([
    'final_answer.better',
    'final_answer.why',
  ])
  for (const { feedback_type, payload } of decided) {
    const name = String(feedback_type).split('.').at(-1) as keyof typeof given
    expect(given[name]).toContain((payload as { value: string }).value)
  }
})
