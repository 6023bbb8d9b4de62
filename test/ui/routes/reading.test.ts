import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { rulesText } from '../../../src/web/text/settings/rules.ts'
import { routes } from '../support/routes.ts'
import type { Visit } from '../support/visit.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

/** Statements that only an answer can support: that there is nothing, or none of something. */
const claim = /^alert: |^(?:no|none|nothing|nobody|never|not)\b|\b(?:missing|unused)$|(?:^|\s)0(?: [a-z]|$)/i
/** A facet has this name. */
const notClaimed = 'Citations 0'
const wavesMax = 20

declare global {
  interface Window {
    /** Requests that wait. */
    held: (() => void)[]
  }
}

/** Runs in the page, before its scripts: every read waits, but not the look for the server. */
function holdReads(): void {
  const send = window.fetch
  window.held = []
  const wait = async (...request: Parameters<typeof send>) => {
    const [input] = request
    const url = input instanceof Request ? input.url : `${input}`
    if (url.includes('/api/') && !url.endsWith('/health'))
      await new Promise<void>((resolve) => window.held.push(resolve))
    return await send(...request)
  }
  window.fetch = Object.assign(wait, send)
}

/** What a page says, line by line; not what is busy, which says how far it is. */
async function linesOf(page: Page): Promise<string[]> {
  const busy = new Set(await page.locator('[aria-busy=true]').allInnerTexts())
  const texts = await page.locator('#app').allInnerTexts()
  const lines = texts.flatMap((text) => text.split('\n').map((line) => line.trim()))
  const alerts = await page.locator('[role=alert]').allInnerTexts()
  return [...lines.filter((line) => !busy.has(line)), ...alerts.map((text) => `alert: ${text}`)]
}

/** Lets the requests that wait go; whether there were any. */
const release = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const going = window.held.splice(0)
    for (const go of going) go()
    return going.length > 0
  })

/** Claims that the page made while it read, and no longer makes. */
async function takenBack(visit: Visit): Promise<string[]> {
  const { page } = visit
  const claims = new Set<string>()
  for (let wave = 0; wave < wavesMax; wave++) {
    await visit.quiet()
    for (const line of await linesOf(page)) if (claim.test(line) && line !== notClaimed) claims.add(line)
    if (!(await release(page))) break
  }
  await visit.settled()
  return [...claims.difference(new Set(await linesOf(page)))]
}

/** In these there is nothing, or what they show is shown by another route too. */
const isLeftOut = /missing|revoked|\b(?:none|no)\b|nothing|not found|empty project|from right to left|of one call/

describe('says nothing of what is still being read', () => {
  test.each(routes.filter(({ name }) => !isLeftOut.test(name)))('$name', async ({ path, isPublic }) => {
    const options = { sharesCache: true, ...(isPublic && { role: null, expected: [/401/] }) }
    await world.visit(async (visit) => {
      await visit.page.addInitScript(holdReads)
      await visit.page.goto(visit.address + path(world))
      expect(await takenBack(visit)).toEqual([])
    }, options)
  })
})

test('the dialog of a rule says nothing of scorers that are still being read', async () => {
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/acme/runs/scorers')
    await visit.goTo('/ui/settings/rules')
    await page.evaluate(holdReads)
    await page.getByRole('button', { name: rulesText.add }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(rulesText.name).waitFor()
    expect(await dialog.getByText(rulesText.noScorers).count()).toBe(0)
    expect(await takenBack(visit)).toEqual([])
    await dialog.getByLabel(rulesText.scorer).waitFor()
  })
})
