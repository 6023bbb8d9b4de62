import { beforeAll, expect, test } from 'bun:test'
import { queryFeedback } from '../../conformance/support/feedback.ts'
import { Project } from '../../conformance/support/project.ts'
import { ok, Queues } from '../../conformance/support/queues.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

let projects = 0

/** A number that is sent with these digits. */
const rawNumber = (digits: string) => (JSON as unknown as { rawJSON(text: string): object }).rawJSON(digits)

type Members = Record<string, unknown>

/** A queue of these calls whose form has questions with these schemas. */
async function queueWith(
  calls: readonly (Members & { readonly id: string })[],
  schemas: Readonly<Record<string, Members>>,
) {
  const project = new Project(world.server.client, 'acme', `review-kinds-${++projects}`)
  await project.add(...calls)
  const refs: string[] = []
  for (const [name, field_schema] of Object.entries(schemas)) {
    const val = { _type: 'AnnotationSpec', _class_name: 'AnnotationSpec', _bases: ['Object', 'BaseModel'] }
    const obj = { project_id: project.id, object_id: name, val: { ...val, name, field_schema } }
    const { digest } = (await project.client.post<{ digest: string }>('/obj/create', { obj })).json
    refs.push(`ext:///${project.id}/object/${name}:${digest}`)
  }
  const queues = new Queues(project)
  const { id } = await ok(queues.create({ name: 'Refunds', scorer_refs: refs }))
  return { project, queues, id, path: `/ui/${project.id}/queue/${id}` }
}

const valuesIn = async (project: Project) =>
  (await queryFeedback(project, { fields: ['payload'] })).map(({ payload }) => (payload as Members)['value'])

const correction = { type: ['string', 'object'], format: 'corrected-output' }
const spans = {
  type: 'array',
  format: 'text-spans',
  items: { type: 'object', properties: { label: { type: 'string', enum: ['false claim', 'rude'] } } },
}

test('the form offers every kind of answer', async () => {
  const { project, queues, id, path } = await queueWith([{ id: 'one' }], {})
  await ok(queues.add(id, ['one']))
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`${path}/work`)
    // An empty form leads to its settings.
    await page.getByRole('button', { name: 'Set up the form' }).click()
    const kinds = ['yes or no', 'one choice', 'several choices', 'scale', 'number', 'text']
    for (const [index, kind] of [...kinds, 'corrected output', 'marked passages', 'A or B'].entries()) {
      await page.getByRole('button', { name: 'Add a question' }).click()
      await page.getByRole('textbox', { name: `Question ${index + 1}` }).fill(`Kind ${index}`)
      await page.getByRole('combobox', { name: 'Answer' }).last().selectOption({ label: kind })
      if (kind.includes('choice')) await page.getByRole('textbox', { name: 'Choices' }).last().fill('One, Two')
      if (kind === 'scale') {
        const end = page.getByRole('textbox', { name: 'To', exact: true })
        await end.fill('1')
        await page.getByText('Whole numbers, from the smaller').waitFor()
        await page.getByRole('textbox', { name: 'From', exact: true }).fill('0')
        await end.fill('3')
      }
      if (kind === 'marked passages') await page.getByRole('textbox', { name: 'Labels' }).fill('rude')
    }
    await page.getByRole('textbox', { name: 'Explanation' }).first().fill('By the policy')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('By the policy').waitFor()
    for (const step of ['0', '3']) await page.getByRole('button', { name: step, exact: true }).waitFor()
    for (const index of [1, 2, 3, 4, 5, 6, 7]) await page.getByRole('group', { name: `Kind ${index}` }).waitFor()
    // The item is a single call.
    expect(await page.getByRole('group', { name: 'Kind 8' }).count()).toBe(0)
  })
  const { queue } = await ok(queues.read(id))
  const { vals } = (
    await project.client.post<{ vals: { field_schema: Members }[] }>('/refs/read_batch', { refs: queue.scorer_refs })
  ).json
  expect(vals[3]?.field_schema).toEqual({ type: 'integer', minimum: 0, maximum: 3 })
  expect(vals.map(({ field_schema }) => field_schema['format'])).toEqual([
    ...Array.from({ length: 6 }, () => undefined),
    'corrected-output',
    'text-spans',
    'preferred-call',
  ])
})

test('a correction keeps the digits of numbers that JavaScript would round', async () => {
  const order = { id: rawNumber('9007199254740993'), price: rawNumber('0.10') }
  const { project, queues, id, path } = await queueWith([{ id: 'one', output: { order, sent: true } }], {
    better: correction,
  })
  await ok(queues.add(id, ['one']))
  const text = () =>
    project.client
      .post('/feedback/query', { project_id: project.id, fields: ['payload'] })
      .then((answer) => answer.text)
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`${path}/work`)
    const editor = page.getByRole('textbox', { name: 'better' })
    await page.getByText('9007199254740993').first().waitFor()
    const before = await editor.inputValue()
    expect(before).toContain('0.10')
    await editor.fill(before.replace('true', 'false'))
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('All done').waitFor()
    const stored = /"value":\s*\{"order":\s*\{"id":\s*9007199254740993,\s*"price":\s*0\.10\},\s*"sent":\s*false\}/
    expect(await text()).toMatch(stored)
    // Read, shown and stored once more.
    await page.reload()
    await page.getByText('All done').waitFor()
    await page.keyboard.press('u')
    await page.getByText('You change an answer').waitFor()
    expect(await editor.inputValue()).toBe(before.replace('true', 'false'))
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('All done').waitFor()
    expect(await text()).toMatch(stored)
  })
})

test('who cannot set up an empty form reads who can', async () => {
  const { queues, id, path } = await queueWith([{ id: 'one' }], {})
  await ok(queues.add(id, ['one']))
  await world.visit(
    async (visit) => {
      await visit.goTo(`${path}/work`)
      await visit.page.getByText('Ask admin, who made the queue').waitFor()
      expect(await visit.page.getByRole('button', { name: 'Set up the form' }).count()).toBe(0)
    },
    { role: 'write' },
  )
})

test('an output is corrected by keys, with what changed beside it', async () => {
  const calls = [
    { id: 'text', output: 'The refund was sent.' },
    { id: 'json', output: { refund: 12, sent: true } },
  ]
  const { project, queues, id, path } = await queueWith(calls, { better: correction })
  await ok(queues.add(id, ['text', 'json']))
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`${path}/work`)
    const editor = page.getByRole('textbox', { name: 'better' })
    await page.getByText('The refund was sent.').first().waitFor()
    await page.keyboard.press('e')
    await editor.and(page.locator(':focus')).waitFor()
    expect(await editor.inputValue()).toBe('The refund was sent.')
    await page.keyboard.press('End')
    for (let letter = 0; letter < 'sent.'.length; letter++) await page.keyboard.press('Backspace')
    await page.keyboard.type('refused.')
    await page.getByRole('group', { name: 'What you changed' }).getByText('refused').waitFor()
    await page.keyboard.press('ControlOrMeta+Enter')
    // An output that is JSON stays JSON.
    await page.getByText('Item 2').waitFor()
    await editor.fill('{"refund": 0, "sent": fals')
    await page.getByText('This is no JSON').waitFor()
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('needed').waitFor()
    await editor.fill('{"refund": 0, "sent": false}')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('All done').waitFor()
  })
  expect(await valuesIn(project)).toEqual(
    expect.arrayContaining(['The refund was refused.', { refund: 0, sent: false }]),
  )
})

test('passages are marked by keys and by mouse, and their places are code points', async () => {
  const output = 'All good 😀 and sent. You are wrong.'
  const calls = [{ id: 'one', inputs: { messages: [{ role: 'user', content: 'Where is it?' }] }, output }]
  const { project, queues, id, path } = await queueWith(calls, { passages: spans })
  await ok(queues.add(id, ['one']))
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`${path}/work`)
    await page.getByRole('textbox', { name: 'Text of inputs.messages.0.content' }).waitFor()
    const text = page.getByRole('textbox', { name: 'Text of output' })
    await text.focus()
    await page.keyboard.press('Home')
    for (const _ of 'All good ') await page.keyboard.press('ArrowRight')
    for (const _ of 'x and sent') await page.keyboard.press('Shift+ArrowRight')
    await page.getByText('Selected: “😀 and sent”').waitFor()
    // It takes no input.
    await page.keyboard.press('x')
    await page.keyboard.press('h')
    await text.locator('mark', { hasText: '😀 and sent' }).waitFor()
    expect(await text.textContent()).toBe(output)
    // By mouse: the word under a double click, then the label.
    const box = await text.boundingBox()
    await page.mouse.dblclick((box?.x ?? 0) + 24, (box?.y ?? 0) + 16)
    await page.getByText('Selected: “All').waitFor()
    await page.getByRole('button', { name: 'rude', exact: true }).click()
    await page.getByRole('button', { name: /^Remove the mark rude/ }).waitFor()
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('All done').waitFor()
  })
  const [value] = await valuesIn(project)
  expect(value).toMatchObject([
    { path: 'output', start: 0, label: 'rude' },
    { path: 'output', start: 9, end: 19, text: '😀 and sent', label: 'false claim' },
  ])
  expect([...output].slice(9, 19).join('')).toBe('😀 and sent')
})

test('the better of two answers is chosen without knowing whose they are', async () => {
  const calls = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({
    id: name,
    op_name: `secret-${name}`,
    inputs: { question: 'How long?' },
    output: { id: `req-${name}`, model: `secret-${name}`, text: `Answer of ${name}` },
  }))
  const preference = { type: 'string', format: 'preferred-call' }
  const { project, queues, id, path } = await queueWith(calls, { Better: preference })
  await ok(
    queues.addPairs(id, [
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
    ]),
  )
  const shown: string[] = []
  await world.visit(async (visit) => {
    const { page } = visit
    const sideOf = async (letter: string) => {
      const side = page.getByRole('region', { name: `Answer ${letter}` })
      return /Answer of (\w)/.exec((await side.getByText('Answer of').textContent()) ?? '')?.[1] ?? ''
    }
    await visit.goTo(`${path}/work`)
    await page.getByText('How long?').waitFor()
    shown.push(await sideOf('A'), await sideOf('B'))
    expect(shown.toSorted()).toEqual(['a', 'b'])
    expect(await page.getByText('secret').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Trace', exact: true }).count()).toBe(0)
    await page.keyboard.press('b')
    await page.getByRole('button', { name: 'B is better', pressed: true }).waitFor()
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('Item 2').waitFor()
    await page.keyboard.press('t')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('Item 3').waitFor()
    // After one's own answer, and a reload, the names are there; the order is the same.
    await page.reload()
    await visit.settled()
    await page.keyboard.press('u')
    await page.getByText('Item 2').waitFor()
    await page.getByRole('button', { name: 'No difference', pressed: true }).waitFor()
    await page.keyboard.press('u')
    await page.getByText('Item 1').waitFor()
    await page.getByText('secret-a').first().waitFor()
    expect([await sideOf('A'), await sideOf('B')]).toEqual(shown)
    await page.getByRole('button', { name: 'B is better', pressed: true }).waitFor()
  })
  expect((await valuesIn(project)).toSorted()).toEqual([shown[1], 'tie'].toSorted())
})

test('two rows of a table become one item, in a new queue that asks which is better', async () => {
  const calls = [
    { id: 'left', output: 'Answer of left' },
    { id: 'right', output: 'Answer of right' },
  ]
  const { project } = await queueWith(calls, {})
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/traces`)
    for (const row of [1, 2])
      await page
        .getByRole('checkbox', { name: /^Select/ })
        .nth(row)
        .click()
    await page.keyboard.press('q')
    await page.getByRole('combobox', { name: 'Queue' }).selectOption({ label: 'A new queue' })
    await page.getByRole('textbox', { name: 'Name' }).fill('Left or right')
    await page.getByRole('checkbox', { name: /^As one item/ }).click()
    await page.getByRole('button', { name: 'Add to queue' }).click()
    await page.getByText('Pair added to “Left or right”').waitFor()
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByRole('heading', { name: 'Left or right' }).waitFor()
    await page.keyboard.press('r')
    await page.getByRole('region', { name: 'Answer A' }).waitFor()
    await page.keyboard.press('a')
    await page.getByRole('button', { name: 'A is better', pressed: true }).waitFor()
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('All done').waitFor()
  })
  expect(['left', 'right']).toContain(String((await valuesIn(project))[0]))
})
