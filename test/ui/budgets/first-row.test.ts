import { beforeAll, expect, test } from 'bun:test'
import { large, largeProject } from '../support/large-project.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
  await largeProject()
})

const requestsMax = 4

test.each([
  ['projects', () => '/ui/'],
  ['traces', () => '/ui/acme/support/traces'],
  ['calls', () => '/ui/acme/support/calls'],
  ['threads', () => '/ui/acme/support/threads'],
  ['a trace', () => `/ui/${large.projectId}/trace/${large.wideTraceId}`],
])('%s: at most 4 requests begin before the first row is seen, assets apart', async (_, path) => {
  await world.visit(async (visit) => {
    // Assets are immutable, so a browser has them; here it may not cache.
    await visit.page.addInitScript(noteFirstRow)
    await visit.goTo(path())
    const before = await visit.page.evaluate(requestsBeforeFirstRow)
    expect(before.firstRowMs).toBeGreaterThan(0)
    console.log(`${path()}: ${before.paths.join(', ')}`)
    expect(before.paths.length).toBeLessThanOrEqual(requestsMax)
  })
})

/** Runs in the page, before its own scripts. */
function noteFirstRow(): void {
  const observer = new MutationObserver(() => {
    const row = 'main [role=gridcell], main [role=treeitem], main td, main li a, main a[href*="/thread/"]'
    if (!document.querySelector(row)) return
    ;(globalThis as { firstRowMs?: number }).firstRowMs = performance.now()
    observer.disconnect()
  })
  observer.observe(document, { childList: true, subtree: true })
}

/** Runs in the page. The page itself counts. */
function requestsBeforeFirstRow(): { firstRowMs: number; paths: string[] } {
  const { firstRowMs = 0 } = globalThis as { firstRowMs?: number }
  const paths = performance
    .getEntriesByType('resource')
    .filter(({ startTime, name }) => startTime < firstRowMs && !name.includes('/ui/assets/'))
    .map(({ name }) => new URL(name).pathname)
  return { firstRowMs, paths: [location.pathname, ...paths] }
}
