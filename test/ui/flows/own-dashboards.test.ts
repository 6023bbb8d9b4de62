import { beforeAll, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { Project } from '../../conformance/support/project.ts'
import { checkAccessibility } from '../support/accessibility.ts'
import { boardContent, boardId, storedCard } from '../support/seed-boards.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
let project: Project
beforeAll(async () => {
  world = await sharedWorld()
  project = new Project(world.server.client, 'acme', 'arranged')
  const now = Date.now()
  await project.add(
    ...Array.from({ length: 24 }, (_, index) => ({
      id: `arranged-${index}`,
      op_name: index % 3 === 0 ? 'search' : 'answer',
      started_at: new Date(now - (index + 1) * 3_600_000).toISOString(),
      ended_at: new Date(now - (index + 1) * 3_600_000 + 100 * (index + 1)).toISOString(),
      ...(index % 4 === 0 ? { exception: 'TimeoutError' } : {}),
    })),
  )
})

const store = (id: string, val: object) =>
  world.server.client.post('/obj/create', { obj: { project_id: project.id, object_id: id, val } })

/** Titles of the cards in their order. */
const titles = (page: Page) => page.locator('[data-card] h2').allTextContents()

test('a dashboard is made, filled, reordered, undone, saved, shared, exported and deleted by keyboard', async () => {
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/dashboard-list`)
    await page.getByText('No dashboards of your own').waitFor()
    await page.keyboard.press('n')
    await page.getByRole('textbox', { name: 'Name' }).waitFor()
    await page.keyboard.type('Upgrades')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/dashboards\/dashboard-upgrades\?edit=1/)

    // Two cards: calls by op as bars, and errors as a number.
    await page.getByRole('button', { name: /^Add card/ }).waitFor()
    await page.keyboard.press('a')
    await page.getByRole('complementary', { name: 'Card: Calls' }).waitFor()
    await page.getByRole('combobox', { name: 'Group by' }).fill('op')
    await page.getByRole('button', { name: 'Bars' }).press('Enter')
    await page.keyboard.press('Escape')
    await page.keyboard.press('a')
    await page.getByRole('complementary', { name: 'Card: Calls' }).waitFor()
    await page.getByRole('combobox', { name: 'Metric' }).selectOption('errors')
    await page.getByRole('button', { name: 'Number' }).press('Enter')
    await page.getByRole('button', { name: /^Done/ }).last().press('Enter')
    await visit.settled()
    expect(await titles(page)).toEqual(['Calls by op', 'Errors'])

    // The second one goes first and gets narrower; then both are undone and done again.
    await page.locator('[data-card]').nth(1).focus()
    await page.keyboard.press('Alt+ArrowLeft')
    expect(await titles(page)).toEqual(['Errors', 'Calls by op'])
    await page.keyboard.press('Shift+ArrowLeft')
    await page.getByText('Errors is 5 columns wide, 3 rows high').waitFor()
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    expect(await titles(page)).toEqual(['Calls by op', 'Errors'])
    await page.keyboard.press('Control+Shift+z')
    expect(await titles(page)).toEqual(['Errors', 'Calls by op'])

    // Not saved yet, and still there after a reload.
    await page.reload()
    await visit.settled()
    expect(await titles(page)).toEqual(['Errors', 'Calls by op'])
    await page.keyboard.press('Control+s')
    await page.getByText('Upgrades saved as v1').waitFor()
    await page.reload()
    await visit.settled()
    expect(await titles(page)).toEqual(['Errors', 'Calls by op'])
    expect(await page.locator('[data-card]').first().getByRole('link', { name: '6' }).count()).toBe(1)

    // The link keeps the times.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Actions for Upgrades' }).click()
    await page.getByRole('menuitem', { name: 'Copy link' }).click()
    await page.getByText('Link copied').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(new URL(link).searchParams.get('t')).toMatch(/^\d{4}-\d\d-\d\dT.*Z\.\.\d{4}-\d\d-\d\dT.*Z$/)
    await page.goto(link)
    await visit.settled()
    expect(await titles(page)).toEqual(['Errors', 'Calls by op'])

    const saved = async (menu: string, item: string): Promise<Buffer> => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        (async () => {
          await page.getByRole('button', { name: `Actions for ${menu}` }).click()
          await page.getByRole('menuitem', { name: item }).click()
        })(),
      ])
      return await readFile(await file.path())
    }
    const lines = (await saved('Calls by op', 'Export as CSV')).toString().trim().split('\r\n')
    expect(lines[0]).toBe('Time,answer,search')
    const sums = [1, 2].map((at) => lines.slice(1).reduce((sum, line) => sum + Number(line.split(',')[at]), 0))
    expect(sums).toEqual([16, 8])
    const whole = await saved('Upgrades', 'Export as PNG')
    const card = await saved('Errors', 'Export as PNG')
    for (const picture of [whole, card])
      expect([...picture.subarray(1, 4)]).toEqual([...'PNG'].map((c) => c.charCodeAt(0)))
    const widthOf = (picture: Buffer) => picture.readUInt32BE(16)
    expect(widthOf(whole)).toBeGreaterThan(widthOf(card))

    await page.getByRole('button', { name: 'Actions for Upgrades' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('No dashboards of your own').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Upgrades' }).waitFor()
    await page.getByRole('button', { name: 'Actions for Upgrades' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('No dashboards of your own').waitFor()
  })
})

test('of two people who save, the second sees both', async () => {
  await store('both', boardContent('Both', [storedCard('a'), storedCard('b', { metric: 'errors' })]))
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo(`/ui/${project.id}/dashboards/both?edit=1&card=a`)
      await page.getByRole('textbox', { name: 'Title' }).fill('Mine')
      await store(
        'both',
        boardContent('Both', [storedCard('a', { title: 'Theirs' }), storedCard('b', { metric: 'errors' })]),
      )
      await page.keyboard.press('Control+s')
      await page.getByText(/^v1 was saved by/).waitFor()
      await page.getByRole('button', { name: 'Show both' }).click()
      const dialog = page.getByRole('dialog', { name: 'Theirs and yours' })
      await dialog.getByText('Theirs', { exact: true }).waitFor()
      expect(await dialog.getByText('Mine', { exact: true }).count()).toBe(1)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Save as v2' }).click()
      await page.getByText('Both saved as v2').waitFor()
      expect(await titles(page)).toEqual(['Mine', 'Errors'])
    },
    { expected: [/409/] },
  )
})

test('a read key sees no control that writes, and no rows of SQL', async () => {
  const statement = `select count(*) as n from calls where project_id = '${project.id}'`
  await store('seen', boardContent('Seen', [storedCard('a'), storedCard('q', { statement, title: 'In SQL' })]))
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo(`/ui/${project.id}/dashboards/seen?edit=1&card=a`)
      await page.getByText('This card needs an admin key').waitFor()
      expect(await page.getByRole('button', { name: /Edit|Save|Discard|Add card|New/ }).count()).toBe(0)
      expect(await page.getByRole('complementary', { name: /^Card/ }).count()).toBe(0)
      await page.getByRole('button', { name: 'Actions for Seen' }).click()
      expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Copy link', 'Export as PNG', 'Versions'])
      await page.keyboard.press('Escape')
      await visit.goTo(`/ui/${project.id}/dashboard-list`)
      expect(await page.getByRole('button', { name: /New/ }).count()).toBe(0)
    },
    { role: 'read' },
  )
})

test('a chart of a filter and rows of SQL are added to a dashboard', async () => {
  await store('target', boardContent('Target', []))
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/calls?f=${encodeURIComponent('op = search')}`)
    await page.getByRole('button', { name: /^Export/ }).click()
    await page.getByRole('menuitem', { name: 'Add to a dashboard…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add to a dashboard' })
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Searches')
    await dialog.getByRole('combobox', { name: 'Dashboard' }).selectOption({ label: 'Target' })
    await dialog.getByRole('button', { name: 'Add card' }).click()
    await page.getByText('Card added to Target').waitFor()
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.waitForURL(/\/dashboards\/target/)
    await visit.settled()
    await page.getByRole('region', { name: 'Searches' }).first().getByText('8', { exact: true }).first().waitFor()

    await visit.goTo('/ui/sql')
    await page
      .getByRole('textbox', { name: 'SQL statement' })
      .fill(`select count(*) as calls from calls where project_id = '${project.id}'`)
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Add to a dashboard…' }).click()
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Counted in SQL')
    await dialog.getByRole('combobox', { name: 'Project' }).selectOption(project.id)
    await dialog.getByRole('combobox', { name: 'Dashboard' }).selectOption({ label: 'Target' })
    await dialog.getByRole('button', { name: 'Add card' }).click()
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.waitForURL(/\/dashboards\/target/)
    await visit.settled()
    await page
      .getByRole('region', { name: 'Counted in SQL' })
      .first()
      .getByText('24', { exact: true })
      .first()
      .waitFor()
  })
})

test('a card is moved and sized with the pointer', async () => {
  await store(
    'dragged',
    boardContent(
      'Dragged',
      ['a', 'b', 'c'].map((id) => storedCard(id, { title: id, width: 4 })),
    ),
  )
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/dashboards/dragged?edit=1`)
    const [first, third] = [page.locator('[data-card=a]'), page.locator('[data-card=c]')]
    const grip = await first.locator('header > span').first().boundingBox()
    const target = await third.boundingBox()
    await page.mouse.move(grip!.x + 5, grip!.y + 5)
    await page.mouse.down()
    await page.mouse.move(target!.x + 30, target!.y + 60, { steps: 4 })
    await page.mouse.up()
    expect(await titles(page)).toEqual(['b', 'c', 'a'])
    // The panel would narrow the grid, and the cards would jump: it stays closed.
    expect(await page.locator('[data-panel]').count()).toBe(0)
    const box = (await page.locator('[data-card=b]').boundingBox())!
    await page.mouse.move(box.x + box.width - 6, box.y + box.height - 6)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 2, box.y + box.height + 100, { steps: 4 })
    await page.mouse.up()
    expect(await page.locator('[data-panel]').count()).toBe(0)
    await page.locator('[data-card=b] h2').click()
    await page.getByText('8 × 4').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('4 × 3').waitFor()
  })
})

test('the message of a card that cannot be read stays while its panel opens', async () => {
  await world.visit(async (visit) => {
    await visit.goTo(`/ui/acme/support/dashboards/${boardId}?edit=1`)
    const card = visit.page.locator('[data-card=odd]')
    const again = await card.getByRole('button', { name: 'Try again' }).elementHandle()
    await card.getByRole('heading').click()
    await visit.page.getByRole('complementary', { name: /Odd filter/ }).waitFor()
    await visit.settled()
    expect(await again?.evaluate((button) => button.isConnected)).toBe(true)
  })
})

test('a card that is chosen by keyboard stays in view when its panel moves the cards', async () => {
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo(`/ui/acme/support/dashboards/${boardId}?edit=1`)
      await page.locator('[data-settled=true]').first().waitFor()
      await page.route('**/*.js', async (route) => {
        await Bun.sleep(400)
        await route.continue()
      })
      await page.keyboard.press('Tab')
      const last = page.locator('[data-card]').last()
      await last.focus()
      await page.locator('[data-panel]').waitFor()
      await visit.settled()
      const isInView = await last.evaluate((card) => {
        const { left, top, width } = card.getBoundingClientRect()
        return card.contains(document.elementFromPoint(left + width / 2, top + 20))
      })
      expect(isInView).toBe(true)
    },
    { width: 1280, height: 600 },
  )
})

test('rows of SQL are of the range of the page, and a number is compared with the time before', async () => {
  const fresh = new Project(world.server.client, 'acme', 'compared-boards')
  const call = (id: string, daysAgo: number) => ({
    id,
    started_at: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
  })
  await fresh.add(...['n1', 'n2', 'n3'].map((id) => call(id, 2)), ...['o1', 'o2'].map((id) => call(id, 9)))
  const statement = `select count(*) as calls from calls
    where project_id = '${fresh.id}' and started_at >= $from and started_at < $to`
  await fresh.client.post('/obj/create', {
    obj: {
      project_id: fresh.id,
      object_id: 'compared',
      val: boardContent('Compared', [
        storedCard('now', { title: 'Calls now', shape: 'number', width: 4 }),
        storedCard('rows', { title: 'Counted', statement, shape: 'number', width: 4 }),
      ]),
    },
  })
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${fresh.id}/dashboards/compared`)
    const card = (name: string) => page.getByRole('region', { name })
    await card('Calls now').getByText('3', { exact: true }).waitFor()
    await card('Calls now').getByText('50% higher than before').waitFor()
    await card('Counted').getByText('3', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Last 7 days' }).click()
    await page.getByText('Last 30 days', { exact: true }).click()
    await card('Counted').getByText('5', { exact: true }).waitFor()
    await card('Calls now').getByText('none in the time before').waitFor()
    expect((await checkAccessibility(page)).violations).toEqual([])
  })
})
