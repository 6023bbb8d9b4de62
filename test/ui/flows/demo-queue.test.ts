import { expect, test } from 'bun:test'
import { onOwnServer } from '../support/own-server.ts'

interface Overview {
  readonly queues: readonly {
    readonly queue: { readonly id: string }
    readonly review: { readonly guidelines: string; readonly reviewers_per_item: number }
    readonly items: number
    readonly answers: number
    readonly skips: number
    readonly items_by_answers: readonly number[]
    readonly reviewers: readonly { readonly name: string | null; readonly answers: number; readonly skips: number }[]
  }[]
}

test('the demo has a queue that two people have half done, and disagree in', async () => {
  await onOwnServer({}, async (visit, { client }) => {
    const { page } = visit
    await visit.goTo('/ui/')
    // The first review waits, so that the step is there for long enough to be seen.
    const seen = Promise.withResolvers<void>()
    await page.route('**/annotation_queues/*/claim', async (route) => {
      await seen.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Load the demo' }).click()
    await page.getByText('0 of 31 items of a queue reviewed', { exact: true }).waitFor()
    const bar = page.getByRole('progressbar', { name: 'Demo', exact: true })
    expect(await bar.evaluate((each: HTMLProgressElement) => each.position)).toBeLessThan(1)
    seen.resolve()
    await page.unrouteAll({ behavior: 'wait' })
    await page.waitForURL('**/ui/demo/airline/traces')
    const { json } = await client.post<Overview>('/annotation_queues/overview', { project_id: 'demo/airline' })
    const [found] = json.queues
    expect(found).toMatchObject({
      items: 30,
      answers: 28,
      skips: 3,
      items_by_answers: [13, 6, 11],
      review: { reviewers_per_item: 2, guidelines: expect.stringContaining('Read the request first') },
    })
    expect(found?.reviewers.map(({ name, answers, skips }) => [name, answers, skips]).toSorted()).toEqual([
      ['Ana', 16, 1],
      ['Noah', 12, 2],
    ])

    // Each page of the queue has something to show.
    await page.getByRole('link', { name: 'Queues' }).click()
    await page.getByRole('link', { name: /Answers of the airline agent/ }).click()
    await page.getByText('Ana', { exact: true }).first().waitFor()
    await visit.goTo(`/ui/demo/airline/queue/${found?.queue.id}/adjudicate`)
    await page.getByText('0 of 3 decided').waitFor()
    await page.getByText('The traveller never said yes to the price.').first().waitFor()
  })
}, 240_000)
