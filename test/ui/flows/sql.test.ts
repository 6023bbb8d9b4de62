import { beforeAll, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { Project } from '../../conformance/support/project.ts'
import { checkAccessibility } from '../support/accessibility.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
let project: Project
beforeAll(async () => {
  world = await sharedWorld()
  project = new Project(world.server.client, 'acme', 'asked-in-sql')
  await project.add(
    ...Array.from({ length: 12 }, (_, id) => ({
      id: `asked-${id}`,
      op_name: id % 3 === 0 ? 'search' : 'answer',
      started_at: new Date(Date.now() - id * 60_000).toISOString(),
      ...(id % 4 === 0 ? { exception: 'TimeoutError' } : {}),
    })),
  )
})

test('a statement is completed, run, mended, drawn, exported, and found again', async () => {
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/sql')
    const area = page.getByRole('textbox', { name: 'SQL statement' })
    await page.getByRole('button', { name: 'Insert op_name' }).waitFor()

    // Completed from the tables, with the keyboard alone.
    await area.focus()
    await page.keyboard.type('select op_na')
    await page.getByRole('option', { name: /op_name/ }).waitFor()
    expect((await checkAccessibility(page)).violations).toEqual([])
    await page.keyboard.press('Tab')
    await page.keyboard.type(
      `, count(*) as calls from calls where project_id = '${project.id}' group by all order by 1 `,
    )
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Enter')
    const table = page.getByRole('table', { name: 'Result' })
    await table.getByRole('row').nth(2).waitFor()
    expect(await table.getByRole('row').allTextContents()).toEqual(['#op_nametextcallsbigint', '1answer8', '2search4'])

    // The chart is of the same rows.
    await page.getByRole('button', { name: 'Both' }).click()
    await page.getByRole('img', { name: 'calls by op_name' }).waitFor()
    expect((await checkAccessibility(page)).violations).toEqual([])

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      (async () => {
        await page.getByRole('button', { name: 'Export' }).click()
        await page.getByRole('menuitem', { name: 'CSV' }).click()
      })(),
    ])
    expect(await readFile(await file.path(), 'utf8')).toBe('op_name,calls\r\nanswer,8\r\nsearch,4\r\n')

    // The address has the statement, which is not run by itself.
    await page.reload()
    expect(await area.inputValue()).toStartWith('select op_name, count(*)')
    await page.getByText('Nothing has run yet').waitFor()
  })
})

const named = (day: string, name: string, value: number) => `(timestamp '${day}', '${name}', ${value})`
const longNames = ['support_bot.retrieve_relevant_documents_for_the_question_asked', 'WWWWWWWWWW MMMMMMMMMM']
const drawn = {
  lines: `select * from (values ${longNames
    .flatMap((name, at) => ['2026-11-01', '2026-11-02'].map((day) => named(day, name, at + 1)))
    .join()}) t(day, name, calls)`,
  bars: `select 'support_bot.retrieve_relevant_documents_' || range as name, 5 + range % 7 as calls from range(30)`,
}

test.each([
  ['light', 1280],
  ['dark', 390],
] as const)('long names stay inside a chart, %s at %d', async (theme, width) => {
  await world.visit(
    async (visit) => {
      const { page } = visit
      for (const [kind, statement] of Object.entries(drawn)) {
        await visit.goTo(`/ui/sql#${new URLSearchParams({ q: statement })}`)
        await page.getByRole('button', { name: 'Run', exact: true }).click()
        await page.getByText('of 10,000 rows').waitFor()
        await page.getByRole('button', { name: 'Chart' }).click()
        const plot = page.getByRole('img', { name: /^calls by/ })
        await plot.locator('text').first().waitFor()
        const texts = await plot.evaluate((element) => {
          const { left, right } = element.getBoundingClientRect()
          return [...element.querySelectorAll('text')].map((text) => {
            const box = text.getBoundingClientRect()
            return { text: text.textContent, isInside: box.left >= left - 12 && box.right <= right + 1 }
          })
        })
        expect(texts.filter(({ isInside }) => !isInside)).toEqual([])
        // What is cut keeps what tells it from the others.
        const cut = texts.map(({ text }) => text ?? '').filter((text) => text.includes('…'))
        expect(new Set(cut).size).toBe(cut.length)
        if (kind === 'bars') expect(cut.length).toBeGreaterThan(1)
        expect((await checkAccessibility(page)).violations).toEqual([])
      }
    },
    { theme, width },
  )
})

test('an error says where it is and what was meant; the rows before it stay', async () => {
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/sql')
      const area = page.getByRole('textbox', { name: 'SQL statement' })
      await area.fill(`select id\nfrom calls where project_id = '${project.id}'`)
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByText('12 of 10,000 rows').waitFor()

      await area.fill(`select id,\n  statu\nfrom calls where project_id = '${project.id}'`)
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      const alert = page.getByRole('alert')
      await alert.getByText('Line 2, column 3').waitFor()
      await alert.getByText('No column “statu” here. Nothing ran.').waitFor()
      await page.getByText(/of the statement before/).waitFor()
      expect((await checkAccessibility(page)).violations).toEqual([])
      await page.keyboard.press('F8')
      expect(await area.evaluate((field: HTMLTextAreaElement) => field.selectionStart)).toBe(13)
      await page.keyboard.press('Control+.')
      expect(await area.inputValue()).toContain('\n  status\nfrom')
      await page.keyboard.press('Control+Enter')
      await page.getByRole('columnheader', { name: /status/ }).waitFor()

      // Earlier statements come back from the history.
      await page.keyboard.press('Escape')
      await page.keyboard.press('h')
      await page.getByRole('menuitem', { name: /^select id from calls/ }).click()
      expect(await area.inputValue()).toStartWith('select id\n')
    },
    { expected: [/400/] },
  )
})

test('a running statement is stopped', async () => {
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/sql')
    const area = page.getByRole('textbox', { name: 'SQL statement' })
    await area.fill('select sum(a.range * b.range) from range(99999) a, range(99999) b, range(99999) c')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Stopped. Nothing was returned.').waitFor()
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
  })
})

test('a table opens as SQL with its filter and finds the same rows', async () => {
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/calls?f=${encodeURIComponent('status = failed and op = search')}`)
    await page.getByRole('row').nth(1).waitFor()
    const shown = (await project.client.post<{ count: number }>('/calls/query_stats', { project_id: project.id })).json
    expect(shown.count).toBe(12)
    await page.getByRole('button', { name: /^Export/ }).click()
    await page.getByRole('menuitem', { name: 'As SQL' }).click()
    const area = page.getByRole('textbox', { name: 'SQL statement' })
    await area.waitFor()
    expect(await area.inputValue()).toContain(`project_id = '${project.id}'`)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    // Calls 0 and 12k: those of `search` that have failed.
    await page.getByText('1 of 10,000 rows').waitFor()

    // What has no exact equivalent is named rather than approximated.
    await visit.goTo(`/ui/${project.id}/calls?f=${encodeURIComponent('otel_dump.name = x')}`)
    await page.getByRole('button', { name: /^Export/ }).click()
    await page.getByRole('menuitem', { name: 'As SQL' }).click()
    await page.getByText('Not possible as SQL: otel_dump.name has no exact equivalent there').waitFor()
  })
})

test('statements are kept in named tabs, which survive a reload and come back after closing', async () => {
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/sql')
    const area = page.getByRole('textbox', { name: 'SQL statement' })
    const tab = (name: string) => page.getByRole('tab', { name, exact: true })

    // An empty console begins with an example.
    await page.getByRole('button', { name: 'Newest errors' }).click()
    expect(await area.inputValue()).toContain('where exception is not null')
    expect(await page.getByRole('button', { name: 'Newest errors' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Rename or close Statement 1' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Errors of today')
    expect((await checkAccessibility(page)).violations).toEqual([])
    await page.keyboard.press('Enter')
    await tab('Errors of today').waitFor()

    await page.getByRole('button', { name: 'New statement' }).click()
    await area.fill('select 21 * 2 as answer')
    await page.keyboard.press('Control+Enter')
    await page.getByText(/^(<?\d+) of 256 MB$/).waitFor()
    await area.fill('select 21 * 2 as the_answer')
    await tab('Statement 2 •').waitFor()
    // Rows stay with their tab.
    await tab('Errors of today').click()
    expect(await area.inputValue()).toContain('where exception is not null')
    expect(await page.getByRole('table', { name: 'Result' }).count()).toBe(0)
    await tab('Statement 2 •').click()
    await page.getByRole('table', { name: 'Result' }).waitFor()

    await page.reload()
    await tab('Statement 2').waitFor()
    expect(await tab('Statement 2').getAttribute('aria-selected')).toBe('true')
    expect(await area.inputValue()).toBe('select 21 * 2 as the_answer')
    await page.getByText('Opening it did not run it').waitFor()

    await page.getByRole('button', { name: 'Rename or close Statement 2' }).click()
    await page.getByRole('menuitem', { name: 'Close' }).click()
    expect(await area.inputValue()).toContain('where exception is not null')
    await page.getByRole('button', { name: 'Undo' }).click()
    await tab('Statement 2').waitFor()
    expect(await area.inputValue()).toBe('select 21 * 2 as the_answer')

    // A link opens beside them, and nothing is overwritten.
    await visit.goTo('/ui/sql#q=select+1')
    await tab('Statement 3').waitFor()
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Errors of today', 'Statement 2', 'Statement 3'])
    await visit.goTo('/ui/sql')
    await tab('Statement 3').waitFor()
    expect(await area.inputValue()).toBe('select 1')
  })
})

test('a key that may not ask sees no entry, and the page says what is needed', async () => {
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/sql')
      await page.getByText('SQL needs an admin key').waitFor()
      await visit.goTo(`/ui/${project.id}/calls`)
      await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).waitFor()
      expect(await page.getByRole('link', { name: 'SQL' }).count()).toBe(0)
    },
    { role: 'read' },
  )
})
