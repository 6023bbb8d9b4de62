import { beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { odd } from '../support/odd-project.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

const rows = (page: Page) => page.getByRole('grid').getByRole('row')

/** Widths of the columns of a table by their heads. */
const columnWidths = (page: Page): Promise<Record<string, number>> =>
  page
    .getByRole('columnheader')
    .evaluateAll((heads) =>
      Object.fromEntries(heads.map((head) => [head.textContent ?? '', head.getBoundingClientRect().width])),
    )

/** Where the ellipsis of a cut text is: at the left for text from right to left. */
const directionOf = (text: Locator): Promise<string> => text.evaluate((element) => getComputedStyle(element).direction)

describe('a table at 1440 pixels', () => {
  test('gives input and output more width than any other column', async () => {
    await world.visit(
      async (visit) => {
        await visit.goTo('/ui/acme/support/traces')
        const { Input: input = 0, Output: output = 0, ...others } = await columnWidths(visit.page)
        const widest = Math.max(...Object.values(others))
        expect(input).toBeGreaterThan(widest)
        expect(output).toBeGreaterThan(widest)
      },
      { width: 1440, height: 900 },
    )
  })
})

describe('odd values', () => {
  test('that are missing, empty or blank have a name', async () => {
    await world.visit(
      async (visit) => {
        const { page } = visit
        await visit.goTo(`/ui/${odd.projectId}/calls?c=${odd.columns}`)
        const names = await page
          .getByRole('grid')
          .locator('button, a')
          .evaluateAll((controls) =>
            controls.map((each) => (each.getAttribute('aria-label') ?? each.textContent ?? '').trim()),
          )
        expect(names.length).toBeGreaterThan(20)
        expect(names.filter((name) => name === '')).toEqual([])
        expect(await page.getByRole('button', { name: 'No thread' }).count()).toBeGreaterThan(0)
      },
      { width: 1440, height: 900 },
    )
  })

  test('texts from right to left are cut at their end', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo(`/ui/${odd.projectId}/traces`)
      const row = rows(page).filter({ hasText: odd.rightToLeft }).first()
      for (const text of await row
        .getByText(odd.rightToLeft.slice(0, 20))
        .locator('xpath=ancestor-or-self::*[@dir]')
        .all())
        expect(await directionOf(text)).toBe('rtl')
      expect(await row.locator('[dir=rtl]').count()).toBe(2)
      expect(await directionOf(rows(page).filter({ hasText: 'Find it again' }).locator('a').first())).toBe('ltr')
    })
  })

  test('links in messages are links, with and without Markdown', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo(`/ui/${odd.projectId}/trace/${odd.chatId}?tab=chat`)
      for (const address of ['https://example.com/returns', 'https://example.com/help']) {
        const link = page.locator(`a[href="${address}"]`)
        expect(await link.getAttribute('target')).toBe('_blank')
        expect(await link.evaluate((element) => getComputedStyle(element).textDecorationLine)).toBe('underline')
      }
    })
  })
})

describe('a project of one call', () => {
  test('has a bar that is not as wide as its chart, and ticks that differ', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo(`/ui/${odd.oneCallId}/traces`)
      const chart = page.getByRole('slider', { name: /^Time selection/ })
      const [whole, bar] = await Promise.all([chart.boundingBox(), chart.locator('rect').first().boundingBox()])
      expect(bar!.width).toBeLessThan(whole!.width / 10)
      const ticks = await page.locator('main [data-part=time-axis] span').allTextContents()
      expect(ticks.length).toBeGreaterThan(2)
      expect(new Set(ticks).size).toBe(ticks.length)
    })
  })

  test('has whole numbers on the axis of its counts', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo(`/ui/${odd.oneCallId}/dashboards`)
      const ticks = await page.getByRole('region', { name: 'Traces' }).locator('svg text').allTextContents()
      expect(ticks).toEqual(['0', '1'])
    })
  })

  test('speaks of one trace', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      for (const [path, text] of [
        ['traces', '1 trace'],
        ['live', '1 call'],
        ['trace/only', '1 call'],
      ] as const) {
        await visit.goTo(`/ui/${odd.oneCallId}/${path}`)
        await page.getByText(text, { exact: true }).first().waitFor()
        expect(await page.getByText(/\b1 (?:calls|traces|threads|turns|rows|errors)\b/).count()).toBe(0)
      }
    })
  })
})

describe('facets', () => {
  test('count the calls of the time range', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/support/traces')
      const status = page.getByRole('region', { name: 'Status' })
      const counted = async () =>
        (await status.getByRole('listitem').allTextContents())
          // Counts the traces of the two entries below it once more.
          .filter((text) => !text.startsWith('Failed'))
          .map((text) => Number(/(\d+)$/.exec(text.replaceAll(',', ''))?.[1] ?? 0))
          .reduce((sum, count) => sum + count, 0)
      expect(await counted()).toBe(world.support.traceCount)
      const brush = page.getByRole('slider', { name: /^Time selection/ })
      await brush.focus()
      await brush.press('ArrowRight')
      await visit.settled()
      const shown = (await rows(page).count()) - 1
      expect(shown).toBeLessThan(world.support.traceCount)
      expect(await counted()).toBe(shown)
    })
  })
})
