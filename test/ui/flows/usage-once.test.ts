import { beforeAll, describe, expect, test } from 'bun:test'
import { Project } from '../../conformance/support/project.ts'
import { sharedWorld, type World } from '../support/world.ts'

const model = 'gpt-4o-2024-08-06'
const traceId = 'usage-once'
const why = 'Calls below or beside this one report this usage too. Totals count it there, once.'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
  const project = new Project(world.server.client, 'acme', 'usage-once')
  const startMs = Date.now() - 60_000
  const at = (second: number): string => new Date(startMs + second * 1000).toISOString()
  const used = (prompt_tokens: number, completion_tokens: number) => ({
    summary: { usage: { [model]: { prompt_tokens, completion_tokens, requests: 1 } } },
  })
  const common = { trace_id: traceId, thread_id: 'talk', turn_id: 'turn' }
  await project.complete(
    { id: 'usage-agent', ...common, op_name: 'agent', started_at: at(0), ended_at: at(9), ...used(22_000, 3_400) },
    {
      id: 'usage-first',
      ...common,
      ...{ parent_id: 'usage-agent', op_name: 'chat', started_at: at(1), ended_at: at(3), ...used(10_000, 1_400) },
    },
    {
      id: 'usage-second',
      ...common,
      ...{ parent_id: 'usage-agent', op_name: 'chat', started_at: at(4), ended_at: at(8), ...used(12_000, 2_000) },
    },
  )
})

describe('usage that calls below state, too', () => {
  test('is marked in the list of calls', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/usage-once/calls')
      const marked = page.getByRole('row').filter({ hasText: 'counted in other calls' })
      await marked.first().waitFor()
      expect(await marked.count()).toBe(1)
      expect(await marked.textContent()).toContain('agent')
      const tips = await marked.locator('[data-tip]').evaluateAll((all) => all.map((each) => each.dataset['tip']))
      expect(tips.filter((tip) => tip?.endsWith(why))).toHaveLength(2)
    })
  })

  test('is not marked in the list of traces, where rows show what counts', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/usage-once/traces')
      await page.getByRole('row').getByText('25.4k', { exact: true }).waitFor()
      expect(await page.getByText('counted in other calls').count()).toBe(0)
    })
  })

  test('is marked in the panel of the call, and totals count it once', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo(`/ui/acme/usage-once/trace/${traceId}?call=usage-agent&tab=cost`)
      const panel = page.getByRole('complementary')
      await panel.getByText('counted in other calls').waitFor()
      await panel.getByRole('tabpanel').getByText(why).waitFor()
      await page.locator('main dd').getByText('25.4k', { exact: true }).first().waitFor()
      await panel.getByRole('row', { name: 'Tokens 25,400', exact: true }).waitFor()
      await visit.goTo(`/ui/acme/usage-once/trace/${traceId}?call=usage-first&tab=cost`)
      await panel.getByText('In and out').waitFor()
      expect(await panel.getByText('counted in other calls').count()).toBe(0)
    })
  })

  test('is counted once by op, and in the thread', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo(`/ui/acme/usage-once/trace/${traceId}?view=ops`)
      const agent = page.getByRole('region', { name: 'By op' }).getByRole('row', { name: /agent/ })
      await agent.waitFor()
      expect(await agent.textContent()).not.toContain('$')
      await visit.goTo('/ui/acme/usage-once/thread/talk')
      const summary = page.getByRole('complementary', { name: 'Thread' })
      await summary.getByText('25.4k', { exact: true }).waitFor()
    })
  })
})
