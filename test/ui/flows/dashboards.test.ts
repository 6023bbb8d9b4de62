import { beforeAll, expect, test } from 'bun:test'
import { Project } from '../../conformance/support/project.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

test('a saved dashboard that is opened by its address alone has its own operation and range', async () => {
  const project_id = 'acme/support'
  const val = { _type: 'SavedDashboard', _class_name: 'SavedDashboard', _bases: ['Object', 'BaseModel'] }
  const own = { ...val, label: 'Parcels', op: 'support_bot.parcel', range: '-90d' }
  const made = await world.server.client.post('/obj/create', { obj: { project_id, object_id: 'parcels', val: own } })
  expect(made.status).toBe(200)
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/acme/support/dashboards/parcels')
    const picker = page.getByRole('button', { name: /90 days/ })
    const op = page.getByRole('combobox', { name: 'Operation' })
    await picker.waitFor()
    expect(await op.inputValue()).toBe('support_bot.parcel')
    // What is chosen instead stands in the address, also where that is everything.
    await op.selectOption('')
    await visit.settled()
    await page.reload()
    await visit.settled()
    expect(await op.inputValue()).toBe('')
    expect(await picker.count()).toBe(1)
  })
})

test('an operation of the table leads to its calls', async () => {
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/acme/support/dashboards')
    const operations = page.getByRole('region', { name: 'Operations' })
    await operations.getByRole('link', { name: 'support_bot.parcel' }).click()
    await page.waitForURL(/\/calls\?f=/)
    await visit.settled()
    await page.getByRole('button', { name: /^Remove .*support_bot.parcel/ }).waitFor()
    const rows = page.getByRole('grid').getByRole('row')
    expect(await rows.filter({ hasNotText: 'support_bot.parcel' }).count()).toBe(1)
  })
})

test('the table of operations fits beside the rail on a screen of 1,024 pixels', async () => {
  await world.visit(
    async ({ page, ...visit }) => {
      await page.goto(`${visit.address}/ui/acme/support/dashboards`)
      const table = page.getByRole('group', { name: 'Operations' })
      await table.getByRole('link').first().waitFor()
      expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    },
    { width: 1024 },
  )
})

test('the choice of operations is not cut off on a phone', async () => {
  await world.visit(
    async (visit) => {
      await visit.goTo('/ui/acme/support/dashboards')
      const choice = visit.page.getByRole('combobox', { name: 'Operation' })
      // A select does not say that its text is cut off: beside it, the same text has room or not.
      const room = await choice.evaluate((select: HTMLSelectElement) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(select)
        const words = document.createElement('span')
        words.style.font = font
        words.style.position = 'absolute'
        words.textContent = select.selectedOptions[0]?.textContent ?? ''
        document.body.append(words)
        const { width } = words.getBoundingClientRect()
        words.remove()
        return select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - width
      })
      expect(room).toBeGreaterThanOrEqual(0)
    },
    { width: 390 },
  )
})

test('the chart of traces tells those that run or have an error inside from those that are OK', async () => {
  const project = new Project(world.server.client, 'acme', 'charted')
  const at = (second: number) => new Date(Date.now() - 600_000 + second * 1000).toISOString()
  await project.start({ id: 'runs', started_at: at(0) })
  await project.complete(
    { id: 'is-fine', started_at: at(1), ended_at: at(2) },
    { id: 'outer', trace_id: 'outer', started_at: at(1), ended_at: at(3) },
    { id: 'inner', trace_id: 'outer', parent_id: 'outer', started_at: at(1), ended_at: at(2), exception: 'Timeout' },
  )
  await world.visit(async (visit) => {
    await visit.goTo('/ui/acme/charted/dashboards')
    const legend = visit.page.getByRole('region', { name: 'Traces' })
    const words = (await legend.first().textContent())?.replaceAll(/\s+/g, ' ')
    expect(words).toMatch(/OK ?1/)
    expect(words).toMatch(/Running ?1/)
    expect(words).toMatch(/Error inside ?1/)
    expect(words).toMatch(/Error ?0/)
  })
})

test('every part of a dashboard has its place while it is read', async () => {
  await world.visit(
    async ({ page, ...visit }) => {
      // The server answers when the places have been measured.
      const measured = Promise.withResolvers<void>()
      await page.route('**/calls/stats', async (route) => {
        await measured.promise
        await route.continue()
      })
      await page.goto(`${visit.address}/ui/acme/support/dashboards`)
      // Where there is a score, its chart comes last, beside that of tokens.
      const titles = ['Latency', 'Traces', 'Cost by model']
      const places = () =>
        Promise.all(
          titles.map(async (name) => {
            const box = await page.getByRole('region', { name, exact: true }).boundingBox()
            return box && [Math.round(box.x), Math.round(box.y)]
          }),
        )
      await page.getByRole('region', { name: 'Operations' }).waitFor()
      const before = await places()
      measured.resolve()
      await page.unrouteAll({ behavior: 'wait' })
      await page.getByRole('region', { name: 'Operations' }).getByRole('link').first().waitFor()
      expect(await places()).toEqual(before)
    },
    { width: 1440, height: 900 },
  )
})
