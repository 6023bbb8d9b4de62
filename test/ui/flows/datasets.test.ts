import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { upload } from '../../conformance/support/files.ts'
import { Project } from '../../conformance/support/project.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

let projects = 0

/** A project of its own with the dataset `cases` in one version. */
async function withDataset(count = 30) {
  const { client } = world.server
  const project = new Project(client, 'acme', `datasets-${++projects}`)
  const rows = Array.from({ length: count }, (_, index) => ({
    task: `Task ${index + 1}`,
    seats: index % 4,
    refundable: index % 2 === 0,
    reservation: { id: `R${index}` },
  }))
  const base = `/v2/${project.id}/datasets`
  const { status, json, text } = await client.post<{ digest: string }>(base, { name: 'cases', rows })
  if (status !== 200) throw new Error(`Create a dataset: ${status} ${text}`)
  const latest = async () => {
    const asked = { project_id: project.id, object_id: 'cases', digest: 'latest' }
    const { obj } = (await client.post<{ obj: StoredDataset }>('/obj/read', asked)).json
    const table = obj.val.rows.split('/').at(-1)
    const query = { project_id: project.id, digest: table }
    const stored = (await client.post<{ rows: { val: Record<string, unknown> }[] }>('/table/query', query)).json.rows
    return { version: obj.version_index, digest: obj.digest, val: obj.val, rows: stored.map(({ val }) => val) }
  }
  /** Stores another version, as somebody else does. */
  const saveAnother = async () => {
    const { val } = await latest()
    const table = val.rows.split('/').at(-1)
    const updates = [{ append: { row: { task: 'Theirs' } } }]
    const body = { project_id: project.id, base_digest: table, updates }
    const { digest } = (await client.post<{ digest: string }>('/table/update', body)).json
    const rows = val.rows.replace(table ?? '', digest)
    await client.post('/obj/create', { obj: { project_id: project.id, object_id: 'cases', val: { ...val, rows } } })
  }
  return { project, digest: json.digest, latest, saveAnother, path: `/ui/${project.id}/datasets/cases` }
}

interface StoredDataset {
  readonly digest: string
  readonly version_index: number
  readonly val: { readonly rows: string }
}

const saveBar = (page: Page) => page.getByRole('region', { name: 'Not saved' })

/** Puts the cursor on a cell and types into it. */
async function typeInto(page: Page, cell: string, text: string): Promise<void> {
  await page.getByRole('gridcell', { name: cell, exact: true }).dblclick()
  await page.getByRole('textbox', { name: / of row / }).fill(text)
  await page.keyboard.press('Enter')
}

test('rows are edited, added and deleted, undone, kept over a reload, saved as a version and compared', async () => {
  const { path, latest, digest } = await withDataset()
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(path)
    await typeInto(page, 'Task 1', 'First task')
    await typeInto(page, 'Task 3', '007')
    await page.getByRole('gridcell', { name: 'Task 5', exact: true }).click()
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await page.getByRole('gridcell', { name: 'Task 9', exact: true }).click()
    await page.keyboard.press('d')
    await saveBar(page).getByText('4 changes since v0').waitFor()
    await page.keyboard.press('Control+z')
    await saveBar(page).getByText('3 changes since v0').waitFor()
    await page.keyboard.press('Control+Shift+Z')
    await saveBar(page).getByText('1 added, 2 edited, 1 deleted').waitFor()

    await page.reload()
    await visit.settled()
    await saveBar(page).getByText('1 added, 2 edited, 1 deleted').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('cases v1 saved').waitFor()
    await saveBar(page).waitFor({ state: 'detached' })
    const saved = await latest()
    expect([saved.version, saved.rows.length]).toEqual([1, 30])
    const tasks = ['First task', 'Task 2', '007', 'Task 4', 'Task 6', 'Task 7', 'Task 8', 'Task 9', 'Task 9']
    expect(saved.rows.slice(0, 9).map(({ task }) => task)).toEqual(tasks)
    // Saving again makes no version.
    await page.keyboard.press('Control+s')
    expect((await latest()).version).toBe(1)

    await page.getByRole('button', { name: 'Compare' }).first().click()
    await page.waitForURL(/from=.*&to=/)
    await visit.settled()
    await page.getByText('1 added, 2 edited, 1 deleted').waitFor()
    expect(page.url()).toContain(digest)
    await page.keyboard.press('Escape')
    await page.getByRole('grid').waitFor()
  })
})

test('what is no number is said with its place, and stops the save until it is one', async () => {
  const { path, latest } = await withDataset(3)
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(path)
    await page.getByRole('gridcell', { name: '1', exact: true }).dblclick()
    await page.getByRole('textbox', { name: 'seats of row 2' }).fill('two')
    await page.getByRole('alert').getByText('“two” is not a number').waitFor()
    await page.keyboard.press('Enter')
    await saveBar(page).getByText('Row 2, seats: “two” is not a number').waitFor()
    expect(
      await saveBar(page)
        .getByRole('button', { name: /Save v1/ })
        .isDisabled(),
    ).toBe(true)
    await page.getByRole('gridcell', { name: 'two', exact: true }).dblclick()
    await page.getByRole('textbox', { name: 'seats of row 2' }).fill('12345678901234567890')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+s')
    await page.getByText('cases v1 saved').waitFor()
    await page.getByRole('gridcell', { name: '12345678901234567890' }).waitFor()
    expect((await latest()).version).toBe(1)
  })
})

test('of two who edit a dataset one is refused: both are shown, and no cell is lost', async () => {
  const { path, latest, saveAnother } = await withDataset(5)
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo(path)
      await typeInto(page, 'Task 2', 'Mine')
      await saveAnother()
      await page.keyboard.press('Control+s')
      await page.getByText('Yours is kept.').waitFor()
      expect((await latest()).rows.at(-1)?.['task']).toBe('Theirs')
      await page.getByRole('button', { name: 'Show both' }).click()
      await page.waitForURL(/to=draft/)
      await visit.settled()
      await page.getByText('Mine').waitFor()
      await page.getByText('Theirs').waitFor()
      await page.getByRole('button', { name: 'Rows', exact: true }).click()
      await page.getByRole('button', { name: 'Save as v2' }).click()
      await page.getByText('cases v2 saved').waitFor()
      expect((await latest()).rows.map(({ task }) => task)).toEqual(['Task 1', 'Mine', 'Task 3', 'Task 4', 'Task 5'])
    },
    { expected: [/409/] },
  )
})

test('cells of a spreadsheet are shown before they become rows', async () => {
  const { path, latest } = await withDataset(2)
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(path)
    await page.getByRole('grid').focus()
    await page.evaluate(() => {
      const data = new DataTransfer()
      data.setData('text/plain', 'task\tseats\n"two\nlines"\t3\n=SUM(A1)\tmany')
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
    })
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 cell does not fit').waitFor()
    await dialog.getByRole('button', { name: 'Add 2 rows' }).click()
    await typeInto(page, 'many', '4')
    await page.keyboard.press('Control+s')
    await page.getByText('cases v1 saved').waitFor()
    const added = (await latest()).rows.filter(({ task }) => !String(task).startsWith('Task'))
    expect(added).toEqual([
      { task: 'two\nlines', seats: 3 },
      { task: '=SUM(A1)', seats: 4 },
    ])
  })
})

test('of many rows only those in view exist, and any of them is one jump away', async () => {
  const { path } = await withDataset(3_000)
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(path)
    await page.getByRole('gridcell', { name: 'Task 1', exact: true }).waitFor()
    await page.keyboard.press('Shift+G')
    await page.getByRole('textbox', { name: 'Row, 1 to 3,000' }).fill('2345')
    await page.keyboard.press('Enter')
    await page.getByRole('gridcell', { name: 'Task 2345', exact: true }).waitFor()
    expect(await page.getByRole('row').count()).toBeLessThanOrEqual(150)
    await page.getByRole('searchbox').fill('task = "Task 2999"')
    await page.getByText('1 of 3,000 rows match').waitFor()
    await page.reload()
    await visit.settled()
    await page.getByText('1 of 3,000 rows match').waitFor()
    await page.getByRole('searchbox').fill('nothing of the kind')
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await page.getByRole('gridcell', { name: 'Task 1', exact: true }).waitFor()
  })
})

test('a key that may only read sees rows and versions, and no control that writes', async () => {
  const { path } = await withDataset(4)
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo(path)
      await page.getByText('read only').waitFor()
      for (const name of [/^Save/, /^Row/, /^Discard/, /^Duplicate/, /^Delete/])
        expect(await page.getByRole('button', { name }).count()).toBe(0)
      await page.getByRole('gridcell', { name: 'Task 2', exact: true }).dblclick()
      expect(await page.getByRole('textbox', { name: 'task of row 2' }).isEditable()).toBe(false)
      await page.keyboard.press('Escape')
      for (const key of ['a', 'd', 'Backspace']) await page.keyboard.press(key)
      expect(await saveBar(page).count()).toBe(0)
    },
    { role: 'read' },
  )
})

test('a dataset or version that is not there is said, with a way on', async () => {
  const { path, project } = await withDataset(1)
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`${path}/v9`)
    await page.getByText('No version “v9”').waitFor()
    await page.getByRole('link', { name: 'Open the latest version' }).click()
    await page.getByRole('grid').waitFor()
    await visit.goTo(`/ui/${project.id}/datasets/none`)
    await page.getByRole('link', { name: 'Open the list of datasets' }).click()
    await page.getByRole('link', { name: /cases/ }).click()
    await page.getByRole('grid').waitFor()
  })
})

test('calls become rows that keep their call; what is there already is skipped or replaced', async () => {
  const { project, latest } = await withDataset(1)
  const at = Date.now()
  const calls = ['a', 'b'].map((name, index) => ({
    id: crypto.randomUUID(),
    trace_id: crypto.randomUUID(),
    op_name: 'answer',
    started_at: new Date(at - 1_000 * index).toISOString(),
    ended_at: new Date(at - 1_000 * index + 10).toISOString(),
    inputs: { task: `Ask ${name}` },
    output: { content: `Answer ${name}` },
  }))
  for (const { id, trace_id, op_name, started_at, ended_at, inputs, output } of calls) {
    const start = { project_id: project.id, id, trace_id, op_name, started_at, inputs, attributes: {} }
    const end = { project_id: project.id, id, ended_at, output, summary: {} }
    await project.client.post('/call/upsert_batch', {
      batch: [
        { mode: 'start', req: { start } },
        { mode: 'end', req: { end } },
      ],
    })
  }
  await world.visit(async (visit) => {
    const { page } = visit
    const addAll = async (verb: RegExp) => {
      await visit.goTo(`/ui/${project.id}/calls`)
      await page.getByRole('grid').getByRole('checkbox').first().click()
      await page
        .getByRole('toolbar')
        .getByRole('button', { name: /^Dataset/ })
        .click()
      await page.waitForURL(/calls-to-dataset/)
      await page.getByRole('button', { name: verb }).waitFor()
    }
    await addAll(/Add 2 rows as v1/)
    await page.getByRole('button', { name: 'New column' }).click()
    await page.getByRole('textbox', { name: /Name of column/ }).fill('expected')
    // A click on a value of the payload fills the column that waits for one.
    await page
      .getByRole('treeitem', { name: /Answer a/ })
      .getByText('Answer a')
      .click()
    expect(await page.getByRole('combobox', { name: 'Value for expected' }).inputValue()).toBe('output.content')
    await page.getByRole('textbox', { name: /corrected/ }).fill('A better answer')
    await page.getByRole('button', { name: 'Add 2 rows as v1' }).click()
    await page.getByText('2 rows added to “cases”').waitFor()
    const { rows } = await latest()
    expect(rows.slice(1)).toEqual([
      { task: 'Ask a', expected: 'A better answer', call: expect.stringContaining(calls[0]?.id ?? '') },
      { task: 'Ask b', expected: 'Answer b', call: expect.stringContaining(calls[1]?.id ?? '') },
    ])
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.waitForURL(/datasets\/cases/)
    await visit.settled()
    await page.getByRole('gridcell', { name: 'A better answer' }).waitFor()
    await page.getByRole('link', { name: calls[0]?.id.slice(0, 8) ?? '' }).click()
    await page.waitForURL(/trace\//)
    // And back from the call to its row.
    await page.getByRole('link', { name: 'cases v1 row 2' }).click()
    await page.waitForURL(/datasets\/cases\?row=2/)

    await addAll(/Add 0 rows as v2/)
    await page.getByText('0 new, 2 already there').waitFor()
    await page.getByText('Remembered for answer').waitFor()
    await page.getByRole('button', { name: 'Replace', exact: true }).click()
    await page.getByRole('button', { name: 'Replace 2 rows as v2' }).click()
    await page.getByText('2 rows of “cases” replaced').waitFor()
    const { rows: replaced, version } = await latest()
    expect(version).toBe(2)
    expect(replaced.slice(1).map(({ task, expected }) => [task, expected])).toEqual([
      ['Ask a', 'Answer a'],
      ['Ask b', 'Answer b'],
    ])
  })
})

test('a whole thread becomes a row with its conversation', async () => {
  const project = new Project(world.server.client, 'acme', 'threads-to-rows')
  const turn = (at: number, asked: string, said: string) => ({
    id: `turn-${at}`,
    trace_id: `turn-${at}`,
    thread_id: 'talk',
    turn_id: `turn-${at}`,
    op_name: 'chat',
    started_at: new Date(Date.now() - 60_000 + at * 1_000).toISOString(),
    ended_at: new Date(Date.now() - 59_500 + at * 1_000).toISOString(),
    inputs: { messages: [{ role: 'user', content: asked }] },
    output: { choices: [{ message: { role: 'assistant', content: said } }] },
  })
  await project.complete(turn(1, 'Where is it?', 'Under way.'), turn(2, 'Since when?', 'Since Monday.'))
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/calls-to-dataset?ids=turn-1,turn-2`)
    await page.getByRole('button', { name: 'each thread' }).click()
    await page.getByText('4 messages').first().waitFor()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('talks')
    await page.getByRole('button', { name: 'Add 1 row' }).click()
    await page.getByText('1 row added to “talks”').waitFor()
    const { json } = await project.client.post<{ obj: { val: { rows: string } } }>('/obj/read', {
      project_id: project.id,
      object_id: 'talks',
      digest: 'latest',
    })
    const digest = json.obj.val.rows.split('/').at(-1)
    const { json: table } = await project.client.post<{ rows: { val: Record<string, unknown> }[] }>('/table/query', {
      project_id: project.id,
      digest,
    })
    expect(table.rows.map(({ val }) => val)).toEqual([
      {
        messages: [
          { role: 'user', content: 'Where is it?' },
          { role: 'assistant', content: 'Under way.' },
          { role: 'user', content: 'Since when?' },
          { role: 'assistant', content: 'Since Monday.' },
        ],
        expected: 'Since Monday.',
        call: `ext:///${project.id}/call/turn-2`,
      },
    ])
  })
})

test('pictures are shown in their cells, and a column with a dot in its name is sorted by', async () => {
  const project = new Project(world.server.client, 'acme', 'dataset-pictures')
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const url = `data:image/png;base64,${dot}`
  const { digest } = (await upload(project, { content: Buffer.from(dot, 'base64'), name: 'image.png' })).json
  const rows = [
    { 'place.rank': 2, place: { rank: 1 }, picture: url },
    { 'place.rank': 1, place: { rank: 2 }, picture: { type: 'image_url', image_url: { url } } },
    { 'place.rank': 3, place: { rank: 3 }, picture: { _type: 'CustomWeaveType', files: { 'image.png': digest } } },
  ]
  await project.client.post(`/v2/${project.id}/datasets`, { name: 'shots', rows })
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/datasets/shots`)
    await page.getByRole('gridcell').locator('img').nth(2).waitFor()
    await page.waitForFunction(() => [...document.images].filter(({ naturalWidth }) => naturalWidth === 1).length === 3)
    await page.getByRole('columnheader', { name: 'place.rank' }).getByRole('button').click()
    await page.waitForURL(/sort=/)
    await visit.settled()
    const ranks = await page
      .getByRole('row')
      .getByRole('gridcell', { name: /^[123]$/ })
      .allTextContents()
    expect(ranks).toEqual(['1', '2', '3'])
  })
})
