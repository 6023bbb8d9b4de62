import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { Project } from '../../conformance/support/project.ts'
import { until } from '../../conformance/support/until.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

const rows = (page: Page) => page.getByRole('grid').getByRole('row')
const filter = (page: Page) => page.getByRole('combobox', { name: 'Filter' })
const searchOf = (page: Page): URLSearchParams => new URL(page.url()).searchParams

/** A project of a test's own with calls named `answer`. */
async function someTraces(name: string, count: number): Promise<Project> {
  const project = new Project(world.server.client, 'acme', name)
  const second = (index: number): string => new Date(Date.now() - 600_000 + index * 1000).toISOString()
  const calls = Array.from({ length: count }, (_, index) => ({
    id: `${name}-${index}`,
    op_name: index % 2 === 0 ? 'even' : 'odd',
    started_at: second(index),
    ended_at: second(index + 1),
    inputs: { question: `question ${index}` },
    output: `answer ${index}`,
  }))
  await project.complete(...calls)
  return project
}

describe('the list of traces', () => {
  test('is filtered by text, by a chip taken away, and Back brings the filter again', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/support/traces')
      await filter(page).fill('op="support_bot.parcel"')
      await filter(page).press('Enter')
      await page.getByText('1 trace', { exact: true }).first().waitFor()
      await visit.settled()
      expect(searchOf(page).get('f')).toMatch(/^op ?= ?"support_bot.parcel"$/)
      expect(await rows(page).count()).toBe(2)
      await page.getByRole('button', { name: /^Remove .*support_bot.parcel/ }).click()
      await page.getByText(`${world.support.traceCount} traces`).first().waitFor()
      expect(searchOf(page).get('f')).toBeNull()
      await page.goBack()
      await page.getByText('1 trace', { exact: true }).first().waitFor()
      expect(searchOf(page).get('f')).toMatch(/^op ?= ?"support_bot.parcel"$/)
    })
  })

  test('is filtered by a facet', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/support/traces')
      await page
        .getByRole('region', { name: 'Operation' })
        .getByRole('checkbox', { name: /support_bot.parcel/ })
        .check()
      await page.getByText('1 trace', { exact: true }).first().waitFor()
      expect(searchOf(page).get('f')).toContain('support_bot.parcel')
    })
  })

  test('says what reading it cost, if asked', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/support/calls')
      // The calls may have been merged into one file.
      const words = page.getByText(/^\d+ of \d+ files? · (at most )?\d+ row groups? · (at most )?[\d.]+ [KMG]?B read$/)
      expect(await words.count()).toBe(0)
      const button = page.getByRole('button', { name: 'Cost of reading the first page' })
      await button.click()
      await words.waitFor()
      // The browser remembers the choice.
      await visit.goTo('/ui/acme/support/traces')
      await words.waitFor()
      await button.click()
      await words.waitFor({ state: 'detached' })
    })
  })

  test('says for how long ClickHouse searched, if it did, and why', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await page.route('**/calls/stream_query', async (route) => {
        const response = await route.fetch()
        const search = 'engine;dur=43;desc="clickhouse", searched;desc="9", reason;desc="much is to be searched"'
        const timing = `${response.headers()['server-timing']}, ${search}`
        await route.fulfill({ response, headers: { ...response.headers(), 'server-timing': timing } })
      })
      await visit.goTo('/ui/acme/support/calls')
      await page.getByRole('button', { name: 'Cost of reading the first page' }).click()
      await page.getByText(/ read · 43 ms in ClickHouse: much is to be searched$/).waitFor()
    })
  })

  test('says what is wrong with a filter that cannot be read', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo(`/ui/acme/support/traces?f=${encodeURIComponent('latency>>')}`)
      await page.getByText('The filter cannot be read').waitFor()
    })
  })

  test('shows the time that the brush selects, by keyboard', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/support/traces')
      const brush = page.getByRole('slider', { name: /^Time selection/ })
      await brush.focus()
      for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowRight']) await brush.press(key)
      await visit.settled()
      expect(searchOf(page).get('b')).not.toBeNull()
      expect(await rows(page).count()).toBeLessThan(20)
      await brush.press('Escape')
      await visit.settled()
      expect(searchOf(page).get('b')).toBeNull()
    })
  })

  test('keeps a view under a name, for others too', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await someTraces('views', 6)
      await visit.goTo(`/ui/acme/views/traces?f=${encodeURIComponent('op="odd"')}`)
      await page.getByRole('button', { name: 'Save as a view' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Odd ones')
      await page.keyboard.press('Enter')
      await page.getByRole('tab', { name: /^Odd ones/ }).waitFor()
    })
    await world.visit(
      async (visit) => {
        await visit.goTo('/ui/acme/views/traces')
        await visit.page.getByRole('tab', { name: /^Odd ones/ }).click()
        await visit.settled()
        expect(searchOf(visit.page).get('f')).toMatch(/^op ?= ?"odd"$/)
        expect(await rows(visit.page).count()).toBe(4)
      },
      { role: 'read' },
    )
  })

  test('deletes what is selected, unless it is undone', async () => {
    const project = await someTraces('deletions', 6)
    await world.visit(async (visit) => {
      const { page } = visit
      const select = async (index: number): Promise<void> => {
        await rows(page).nth(index).getByRole('checkbox').check()
      }
      await visit.goTo('/ui/acme/deletions/traces')
      await select(1)
      await select(2)
      await page.getByText('2 selected').waitFor()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('button', { name: 'Undo' }).click()
      await visit.settled()
      expect(await rows(page).count()).toBe(7)
      expect((await project.stats()).count).toBe(6)

      await select(1)
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('button', { name: 'Undo' }).waitFor()
      expect(await rows(page).count()).toBe(6)
      // What was to be undone is carried out when the page goes.
      await visit.goTo('/ui/acme/support/traces')
      await until(async () => (await project.stats()).count < 6)
      expect((await project.stats()).count).toBe(5)
    })
  })

  test('opens the comparison of what is selected', async () => {
    await someTraces('pairs', 4)
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/pairs/traces')
      for (const index of [1, 2]) await rows(page).nth(index).getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Compare' }).click()
      await page.waitForURL(/\/ui\/acme\/pairs\/compare\?/)
      await page.locator('main').getByText('even').first().waitFor()
      await visit.settled()
    })
  })

  test('scores what is selected with a stored scorer', async () => {
    const project = await someTraces('scored', 2)
    await project.client.post('/obj/create', {
      obj: {
        project_id: project.id,
        object_id: 'repeats',
        builtin_object_class: 'ContainsScorer',
        val: { expected_column: 'question' },
      },
    })
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/scored/traces')
      for (const index of [1, 2]) await rows(page).nth(index).getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Score', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Score 2 rows' })
      await dialog.getByRole('combobox', { name: 'Scorer' }).waitFor()
      await dialog.getByRole('button', { name: 'Score' }).click()
      await page.getByText('Scoring 2 rows with “repeats”').waitFor()
    })
    const scored = async () =>
      (await project.client.post<{ result: unknown[] }>('/feedback/query', { project_id: project.id })).json.result
    await until(async () => (await scored()).length >= 2)
    expect(await scored()).toHaveLength(2)
  })

  test('shows all counts above the chart at the width of a phone', async () => {
    const project = await someTraces('counts', 580)
    const started_at = new Date(Date.now() - 1_000).toISOString()
    const each = (count: number) => Array.from({ length: count }, (_, index) => index)
    await project.add(...each(112).map((index) => ({ id: `runs-${index}`, started_at, ended_at: null })))
    const outer = each(120).map((index) => ({ id: `outer-${index}`, trace_id: `outer-${index}`, started_at }))
    const inner = outer.map(({ id, trace_id }) => ({ id: `${id}-inner`, trace_id, parent_id: id, started_at }))
    await project.complete(...outer, ...inner.map((call) => ({ ...call, exception: 'Error: no answer' })))
    await world.visit(
      async (visit) => {
        await visit.goTo('/ui/acme/counts/calls')
        const errors = visit.page.getByText('120 errors', { exact: true })
        await errors.waitFor()
        const legend = errors.locator('xpath=..')
        expect((await legend.textContent())?.replaceAll(/\s+/g, ' ')).toBe(
          '932 calls580 OK112 running120 errors inside120 errors',
        )
        const cut = await legend.evaluate((box) => {
          const { right, bottom } = box.getBoundingClientRect()
          const boxes = [...box.children].map((child) => child.getBoundingClientRect())
          return boxes.filter((child) => child.right > right || child.bottom > bottom).length
        })
        expect(cut).toBe(0)
      },
      { width: 390 },
    )
  })

  test('names what runs on the second line of its card on a phone', async () => {
    const project = new Project(world.server.client, 'acme', 'running')
    await project.start({ id: 'runs', op_name: 'answer', inputs: { question: 'Where is it?' } })
    await world.visit(
      async (visit) => {
        await visit.goTo('/ui/acme/running/traces')
        const card = visit.page.getByRole('list', { name: 'Traces' }).getByRole('link')
        expect(await card.getByText('answer', { exact: true }).count()).toBe(1)
      },
      { width: 390 },
    )
  })

  test('moves by keyboard and opens a trace', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/support/traces')
      for (const key of ['j', 'j', 'k', 'Enter']) await page.keyboard.press(key)
      await page.waitForURL(/\/trace\//)
      await visit.settled()
      await page.goBack()
      await page.getByRole('grid').waitFor()
    })
  })
})
