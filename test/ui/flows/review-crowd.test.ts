import { beforeAll, expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { queryFeedback } from '../../conformance/support/feedback.ts'
import { Project } from '../../conformance/support/project.ts'
import { ok, Queues } from '../../conformance/support/queues.ts'
import { sharedBrowser } from '../support/shared-browser.ts'
import { sharedWorld, signIn, type World } from '../support/world.ts'

/** Items that are answered; 200 in the long form of the test. */
const count = Number(process.env['TRACELAKE_TEST_QUEUE_ITEMS'] ?? 24)
const leaseSeconds = 15
const names = ['ann', 'bob', 'cyd', 'dan'] as const

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

/** A project with calls, and a queue of them for two people each, with a question. */
async function crowdedQueue() {
  const project = new Project(world.server.client, 'acme', 'review-crowd')
  const calls = Array.from({ length: count }, (_, index) => ({ id: `call-${index}`, output: `Answer ${index}` }))
  for (let from = 0; from < count; from += 100) await project.add(...calls.slice(from, from + 100))
  const val = {
    _type: 'AnnotationSpec',
    _class_name: 'AnnotationSpec',
    _bases: ['Object', 'BaseModel'],
    name: 'Polite',
    field_schema: { type: 'boolean' },
  }
  const obj = { project_id: project.id, object_id: 'polite', val }
  const { digest } = (await project.client.post<{ digest: string }>('/obj/create', { obj })).json
  const queues = new Queues(project)
  const ref = `ext:///${project.id}/object/polite:${digest}`
  const { id } = await ok(queues.create({ name: 'Tone', scorer_refs: [ref] }))
  await ok(queues.setReview(id, { reviewers_per_item: 2, lease_seconds: leaseSeconds }))
  await ok(
    queues.add(
      id,
      calls.map((call) => call.id),
    ),
  )
  return { project, queues, id }
}

/** A person with a browser of their own on the page for reviewers. */
async function reviewer(name: string, path: string): Promise<{ context: BrowserContext; page: Page }> {
  const key = await world.server.createKey({ name: `crowd-${name}`, role: 'write', scope: '*' })
  const cookie = await signIn(world.address, key)
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 1_000, height: 700 } })
  const [cookieName = '', value = ''] = cookie.split('=')
  const url = `${world.address}/ui/`
  await context.addCookies([{ name: cookieName, value, url, httpOnly: true, sameSite: 'Strict' }])
  const page = await context.newPage()
  await page.goto(world.address + path)
  return { context, page }
}

/** What a page shows once it is not what was seen before: an item, or words that there is none. */
const nextState = async (page: Page, before: string): Promise<string> => {
  const found = await page
    .waitForFunction(
      (seen) => {
        if (document.querySelector('[aria-busy=true]') !== null) return ''
        const words = document.body.textContent
        const end = ['All done', 'Nothing is free now', 'Not saved'].find((each) => words.includes(each))
        const item = [...document.querySelectorAll('h1 small')].find(({ textContent }) => /^Item/.test(textContent))
        const state = end ?? item?.textContent ?? ''
        return state === seen ? '' : state
      },
      before,
      { timeout: patienceMs },
    )
    .catch(() => undefined)
  return String((await found?.jsonValue()) ?? before)
}

/** How long a page takes at most until it shows another item, before its keys are pressed again. */
const patienceMs = 5_000

/** Answers items by keys alone until nothing is left, or as many as `most`. */
async function review(page: Page, most = Number.POSITIVE_INFINITY): Promise<void> {
  let state = ''
  for (let answered = 0; answered < most; ) {
    const next = await nextState(page, state)
    if (next === 'All done') return
    if (next === 'Nothing is free now' || next === 'Not saved') {
      // On a slow machine a lease may end before it is renewed.
      const button = page.getByRole('button', { name: /Look again|Next item/ })
      await button.press('Enter', { timeout: 1_000 }).catch(() => undefined)
      await page.waitForTimeout(300)
      state = ''
    } else if (next !== '') {
      if (next !== state) answered++
      state = next
      await page.keyboard.press(answered % 3 === 0 ? 'n' : 'y')
      await page.keyboard.press('ControlOrMeta+Enter')
    }
  }
}

test(`four people answer ${count} items twice by keys alone, though the browser of one dies`, async () => {
  const { project, queues, id } = await crowdedQueue()
  const people = await Promise.all(names.map((name) => reviewer(name, `/ui/${project.id}/queue/${id}/work`)))
  try {
    const [first, second, third, dies] = people.map(({ page }) => page) as [Page, Page, Page, Page]
    const begin = performance.now()
    await Promise.all([
      review(first),
      review(second),
      review(third),
      // Its page gets no chance to release what it holds.
      review(dies, Math.ceil(count / 10)).then(async () => {
        await dies.route('**/release', (route) => route.abort())
        await people[3]?.context.close()
      }),
    ])
    const [found] = (await ok(queues.overview([id]))).queues
    const seconds = Math.round((performance.now() - begin) / 100) / 10
    console.log(`${count} items, ${found?.answers} answers in ${seconds} s: ${JSON.stringify(found?.reviewers)}`)
    expect(found).toMatchObject({ items: count, finished_items: count, answers: 2 * count, skips: 0 })
    expect(found?.reviewers).toHaveLength(4)
    const given = await queryFeedback(project, { fields: ['call_ref', 'ext_ref', 'ext_user_id'], limit: 1_000 })
    expect(given).toHaveLength(2 * count)
    const byCall = Map.groupBy(given, ({ ext_ref }) => String(ext_ref))
    expect(byCall.size).toBe(count)
    for (const answers of byCall.values()) expect(new Set(answers.map(({ ext_user_id }) => ext_user_id)).size).toBe(2)
  } finally {
    for (const { context } of people) await context.close().catch(() => undefined)
  }
}, 3_600_000)
