import { beforeAll, expect, test } from 'bun:test'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

/** Pages on which Enter or Space does something with the row under the cursor. */
const pages: Readonly<Record<string, (of: World) => string>> = {
  traces: () => '/ui/acme/support/traces',
  threads: () => '/ui/acme/support/threads',
  thread: ({ support }) => `/ui/acme/support/thread/${support.threadId}`,
  compare: ({ support: { trace, otherTrace } }) =>
    `/ui/acme/support/compare?ids=${trace[0]!.start.trace_id},${otherTrace[0]!.start.trace_id}`,
  live: () => '/ui/acme/support/live',
  prompts: () => '/ui/acme/support/prompts',
  'items of a queue': ({ support }) => `/ui/acme/support/queue/${support.judgedQueueId}?tab=items`,
  evaluations: () => '/ui/acme/runs/evaluations',
  'a comparison of runs': ({ runs }) => `/ui/acme/runs/evaluations/compare?runs=${runs.ids.join(',')}`,
}

test.each(Object.entries(pages))('a button with the focus is pressed by Enter and by Space: %s', async (_, path) => {
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(path(world))
    const address = page.url()
    const help = page.getByRole('button', { name: 'Keys', exact: true })
    for (const key of ['Enter', 'Space']) {
      await help.focus()
      await page.keyboard.press(key)
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    expect(page.url()).toBe(address)
  })
})
