import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page, Request } from 'playwright-core'
import { Project } from '../../conformance/support/project.ts'
import { ownServer } from '../../conformance/support/target.ts'
import { Browser } from '../../conformance/ui/browser.ts'
import { type Visit, visiting } from '../support/visit.ts'
import { sharedWorld, type World } from '../support/world.ts'

const projectId = 'acme/first-rows'
const behindProxy = await ownServer({ env: { TRACELAKE_BASE_PATH: '/obs' } })

let world: World
beforeAll(async () => {
  world = await sharedWorld()
  await sendCalls(new Project(world.server.client, 'acme', 'first-rows'))
})

/** Six calls of today, the newest the fastest, and one of last week. */
async function sendCalls(project: Project): Promise<void> {
  const call = (name: string, startMs: number, latencyMs: number) => ({
    id: `first-rows-${name}`,
    trace_id: `first-rows-${name}`,
    op_name: Number(name) % 2 === 0 ? 'even' : 'odd',
    started_at: new Date(startMs).toISOString(),
    ended_at: new Date(startMs + latencyMs).toISOString(),
    inputs: { name },
    output: null,
  })
  const now = Date.now()
  const today = Array.from({ length: 6 }, (_, index) =>
    call(`${index}`, now - 600_000 + index * 1_000, 900 - index * 100),
  )
  await project.complete(...today, call('old', now - 7 * 86_400_000, 5_000))
}

/** Requests for rows with their feedback, as only tables of calls and traces make them. */
const rowRequests = ({ requests }: Visit): readonly Request[] =>
  requests.filter((request) => request.url().endsWith('/calls/stream_query') && hasFeedback(request))

const hasFeedback = (request: Request): boolean => request.postData()?.includes('"include_feedback":true') ?? false

/** Their bodies: a failed test prints what it found, and a request leads to the whole browser. */
const rowBodies = (visit: Visit): readonly (string | null)[] => rowRequests(visit).map((request) => request.postData())

/** The names of the calls in the rows of the table. */
const shownCalls = (page: Page): Promise<(string | undefined)[]> =>
  page
    .getByRole('grid')
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => /trace\/first-rows-(\w+)/.exec((link as HTMLAnchorElement).href)?.[1]))

/** Whether rows were asked for while the head of the page was read: its scripts run later. */
const beganBeforeScripts = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const rows = performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/calls/stream_query'))
    return rows !== undefined && page !== undefined && rows.startTime < page.domInteractive
  })

const addresses = [
  ['', ['5', '4', '3', '2', '1', '0', 'old']],
  ['traces', ['5', '4', '3', '2', '1', '0', 'old']],
  ['calls', ['5', '4', '3', '2', '1', '0', 'old']],
  ['calls?f=op%3D"odd"', ['5', '3', '1', 'old']],
  ['traces?s=-latency', ['old', '0', '1', '2', '3', '4', '5']],
  ['traces?t=-24h', ['5', '4', '3', '2', '1', '0']],
  ['calls?f=op="odd"+latency<1s&t=-24h&s=latency&c=op,input&v=some-view', ['5', '3', '1']],
] as const

describe('a table asks for its first rows once, before the scripts of the page run,', () => {
  test.each(addresses)('at "%s"', async (address, calls) => {
    await world.visit(async (visit) => {
      await visit.goTo(`/ui/${projectId}/${address}`)
      expect(await shownCalls(visit.page)).toEqual([...calls])
      expect(rowBodies(visit)).toHaveLength(1)
      expect(await beganBeforeScripts(visit.page)).toBe(true)
    })
  })

  test('behind a base path', async () => {
    await sendCalls(new Project(behindProxy.client, 'acme', 'first-rows'))
    const { address, key } = behindProxy.client
    const { cookie } = await new Browser(address).logIn(key)
    await visiting({ address: `${address}/obs`, cookie }, async (visit) => {
      await visit.goTo(`/ui/${projectId}/calls?f=op%3D"even"`)
      expect(await shownCalls(visit.page)).toEqual(['4', '2', '0'])
      expect(rowBodies(visit)).toHaveLength(1)
      expect(await beganBeforeScripts(visit.page)).toBe(true)
    })
  })

  test('with what reading them costs', async () => {
    await world.visit(async (visit) => {
      await visit.goTo(`/ui/${projectId}/calls`)
      await visit.page.getByRole('button', { name: 'Cost of reading the first page' }).click()
      await visit.settled()
      visit.requests.length = 0
      await visit.goTo(`/ui/${projectId}/calls`)
      expect(rowRequests(visit).map((request) => request.headers()['prefer'])).toEqual(['explain'])
      await visit.page.getByText(/ read$/).waitFor()
    })
  })

  test('and again if that failed', async () => {
    const expected = [/Failed to load resource/]
    await world.visit(
      async (visit) => {
        await visit.page.route('**/calls/stream_query', (route) => route.fulfill({ status: 500, json: {} }), {
          times: 1,
        })
        await visit.goTo(`/ui/${projectId}/calls`)
        await visit.page.getByRole('button', { name: 'Try again' }).click()
        await visit.settled()
        expect(await shownCalls(visit.page)).toEqual(['5', '4', '3', '2', '1', '0', 'old'])
        expect(rowBodies(visit)).toHaveLength(2)
      },
      { expected },
    )
  })
})

describe('no rows are asked for', () => {
  test.each(['', 'traces', 'calls'])('without a session, at "%s"', async (view) => {
    await world.visit(
      async (visit) => {
        await visit.goTo(`/ui/${projectId}/${view}`)
        await visit.page.getByRole('textbox', { name: 'API key' }).waitFor()
        expect(visit.requests.filter((request) => request.url().includes('/ui/api/'))).toEqual([])
      },
      { role: null },
    )
  })

  test.each(['calls?f=latency>>', 'trace/first-rows-1', 'threads', 'live', 'dashboards', 'start', 'objects'])(
    'at %s',
    async (address) => {
      await world.visit(async (visit) => {
        await visit.goTo(`/ui/${projectId}/${address}`)
        expect(rowBodies(visit)).toEqual([])
      })
    },
  )

  test.each(['/ui/', '/ui/settings', '/ui/sql'])('at %s', async (address) => {
    await world.visit(async (visit) => {
      await visit.goTo(address)
      expect(rowBodies(visit)).toEqual([])
    })
  })
})
