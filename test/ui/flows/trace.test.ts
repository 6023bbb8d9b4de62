import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { Project } from '../../conformance/support/project.ts'
import { parcel } from '../support/damaged-parcel.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

const tree = (page: Page) => page.getByRole('tree', { name: 'Calls' })
const selected = (page: Page) => tree(page).getByRole('treeitem', { selected: true })
const searchOf = (page: Page): URLSearchParams => new URL(page.url()).searchParams

describe('a trace', () => {
  test('is walked by keyboard, and the address follows', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo(`/ui/acme/support/trace/${parcel.traceId}`)
      await page.keyboard.press('j')
      await visit.settled()
      expect(await selected(page).textContent()).toContain('openai.chat.completions.create')
      expect(searchOf(page).get('call')).toBe(parcel.chatId)
      await page.keyboard.press('e')
      await visit.settled()
      expect(searchOf(page).get('call')).toBe(parcel.toolId)
      await page.getByText('OrderNotFound').first().waitFor()
      await page.keyboard.press('s')
      await visit.settled()
      expect(await selected(page).count()).toBe(1)
    })
  })

  test('shows a picture, sound and numbers as they were sent', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo(`/ui/acme/support/trace/${parcel.traceId}?call=${parcel.chatId}`)
      const picture = page.getByRole('complementary').getByRole('img').and(page.locator('img')).first()
      await picture.waitFor()
      expect(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(8)
      expect(await page.locator('audio').count()).toBe(1)
      await page.getByText('9007199254740993').first().waitFor()
      await page.getByText('Sorry about that').waitFor()
    })
  })

  test('stores a note and a reaction, and shows them on the next visit', async () => {
    const project = new Project(world.server.client, 'acme', 'notes')
    await project.complete({ id: 'noted', trace_id: 'noted' })
    await world.visit(
      async (visit) => {
        const { page } = visit
        await visit.goTo('/ui/acme/notes/trace/noted?tab=feedback')
        await page.getByRole('textbox', { name: 'Add a note' }).fill('Worth a second look')
        await page.getByRole('button', { name: 'Add a note' }).click()
        await page.getByRole('listitem').getByText('Worth a second look').waitFor()
        await page.getByRole('button', { name: 'React with 👍' }).click()
        await page.getByRole('listitem').filter({ hasText: '👍' }).waitFor()
        await visit.settled()
      },
      { role: 'write' },
    )
    await world.visit(
      async (visit) => {
        await visit.goTo('/ui/acme/notes/trace/noted?tab=feedback')
        await visit.page.getByText('Worth a second look').waitFor()
        expect(await visit.page.getByRole('textbox', { name: 'Add a note' }).count()).toBe(0)
        expect(await visit.page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
      },
      { role: 'read' },
    )
  })

  test('that runs is filled in place, and keeps what was selected', async () => {
    const project = new Project(world.server.client, 'acme', 'running')
    const now = new Date().toISOString()
    await project.start({ id: 'running', trace_id: 'running', op_name: 'agent', started_at: now })
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/running/trace/running')
      await project.start({
        id: 'step',
        trace_id: 'running',
        parent_id: 'running',
        op_name: 'step_one',
        started_at: now,
      })
      await tree(page).getByText('step_one').waitFor()
      expect(await selected(page).textContent()).toContain('agent')
      await project.end({ id: 'step', ended_at: new Date().toISOString() })
      await tree(page)
        .getByRole('treeitem', { name: /step_one, OK/ })
        .waitFor()
    })
  })

  test('is found by its id, pasted anywhere', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/support/threads')
      await page.keyboard.press('Control+k')
      const traceId = world.support.trace[0]!.start.trace_id
      await page.getByRole('dialog').getByRole('combobox').fill(traceId)
      await page.getByRole('option').filter({ hasText: 'support_bot.answer' }).first().waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(new RegExp(`/trace/${traceId}`))
    })
  })

  test('is opened by the links that SDKs print', async () => {
    await world.visit(async (visit) => {
      await visit.goTo(`/acme/support/r/call/${parcel.chatId}`)
      await visit.page.waitForURL(new RegExp(`/ui/acme/support/trace/${parcel.traceId}`))
    })
  })
})

describe('conversations', () => {
  test('lead from the list to the turns, and from a turn to its trace', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/support/threads')
      await page.getByText(parcel.threadId).first().click()
      await page.waitForURL(new RegExp(`/thread/${parcel.threadId}`))
      await visit.settled()
      await page.getByText('My parcel arrived like this.').first().waitFor()
      await page.getByRole('link', { name: 'Open trace' }).first().click()
      await page.waitForURL(/\/trace\/damaged-parcel/)
    })
  })
})

describe('the live tail', () => {
  test('shows calls as they come, and none while it pauses', async () => {
    const project = new Project(world.server.client, 'acme', 'tail')
    const come = async (id: string): Promise<void> => {
      await project.complete({
        id,
        trace_id: id,
        op_name: `op_${id}`,
        started_at: new Date().toISOString(),
        ended_at: new Date().toISOString(),
      })
    }
    await come('zeroth')
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/tail/live')
      await page.getByText('Connected').waitFor()
      await come('first')
      await page.getByText('op_first').waitFor()
      await page.getByRole('button', { name: 'Pause' }).click()
      await come('second')
      await page
        .getByText(/1 new|1 more|1 call/)
        .first()
        .waitFor()
      expect(await page.getByText('op_second').count()).toBe(0)
      await page.getByRole('button', { name: /Resume|Continue|Go on/ }).click()
      await page.getByText('op_second').waitFor()
    })
  })

  test('misses no call that comes between its first read and the opening of its stream', async () => {
    const project = new Project(world.server.client, 'acme', 'late-tail')
    const at = new Date().toISOString()
    const come = (id: string) =>
      project.complete({ id, trace_id: id, op_name: `op_${id}`, started_at: at, ended_at: at })
    await come('before')
    await world.visit(async (visit) => {
      const { page } = visit
      const opening = Promise.withResolvers<void>()
      await page.route('**/calls/live?*', async (route) => {
        await opening.promise
        await route.continue()
      })
      await page.goto(`${visit.address}/ui/acme/late-tail/live`)
      await page.getByText('op_before').waitFor()
      await come('between')
      opening.resolve()
      await page.getByText('op_between').waitFor()
    })
  })
})
