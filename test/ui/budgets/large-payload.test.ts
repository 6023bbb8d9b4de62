import { beforeAll, describe, expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { large, largeProject } from '../support/large-project.ts'
import type { Visit } from '../support/visit.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
  await largeProject()
})

const nodesMax = 3_000
const sizes = Object.keys(large.payloads)

const nodes = (visit: Visit): Promise<number> => visit.page.evaluate(() => document.querySelectorAll('*').length)

describe.each(sizes)('a payload of a %s', (id) => {
  test('is shown with at most 3,000 elements, and never parsed', async () => {
    await world.visit(async (visit) => {
      await visit.page.addInitScript(spyOnParsers, large.payloadMember)
      await visit.goTo(`/ui/${large.projectId}/trace/${id}?call=${id}&tab=inputs`)
      const tree = visit.page.getByRole('tree', { name: 'Inputs' })
      await openFirstRow(tree)
      expect(await nodes(visit)).toBeLessThanOrEqual(nodesMax)
      await visit.page.getByRole('button', { name: 'Load all' }).click()
      await visit.page.getByRole('button', { name: 'Load all' }).waitFor({ state: 'detached' })
      await visit.settled()
      // What was open may be folded now: the text is another.
      await tree.press('Home')
      await openFirstRow(tree)
      await tree.press('End')
      expect(await nodes(visit)).toBeLessThanOrEqual(nodesMax)
      await visit.page.getByRole('search').last().getByRole('textbox').fill('the end')
      await tree.getByText('the end').first().waitFor()
      expect(await nodes(visit)).toBeLessThanOrEqual(nodesMax)
      const parsed = await visit.page.evaluate(() => (globalThis as unknown as Spied).parsed)
      expect(parsed.payloads).toEqual([])
      // The spy works: the page parses other things.
      expect(parsed.count).toBeGreaterThan(0)
    })
  })
})

/** Opens `rows` and its first row. */
async function openFirstRow(tree: Locator): Promise<void> {
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowRight']) await tree.press(key)
  await tree.getByText(large.payloadMember).first().waitFor()
}

interface Spied {
  parsed: { count: number; payloads: string[] }
}

/** Runs in the page, before its own scripts: finds every text that is parsed into a payload. */
function spyOnParsers(member: string): void {
  const parsed: Spied['parsed'] = { count: 0, payloads: [] }
  ;(globalThis as unknown as Spied).parsed = parsed
  const parse = JSON.parse
  JSON.parse = (text, reviver) => {
    const value: unknown = parse(text, reviver)
    note(value)
    return value
  }
  Response.prototype.json = async function () {
    return JSON.parse(await this.text())
  }

  /** An envelope holds the payload as text; only what became objects counts. */
  function note(value: unknown): void {
    parsed.count += 1
    const stack = [value]
    while (stack.length > 0) {
      const each = stack.pop()
      if (typeof each !== 'object' || each === null) continue
      if (member in each) {
        parsed.payloads.push(new Error('parsed').stack ?? '')
        return
      }
      stack.push(...Object.values(each).slice(0, 1000))
    }
  }
}
