import { expect, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { startStubModel } from '../../../scripts/stub-model/server.ts'
import { airlineAnswer, corrected, rule } from '../support/airline-model.ts'
import { Hand } from '../support/hand.ts'
import { onOwnServer } from '../support/own-server.ts'

const project = 'demo/airline'
/** Takes pictures for the guide, if a folder for them is named. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['TRACELAKE_LOOP_PICTURES']
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` })
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

test('from a failing trace to a better prompt in production, without a script', async () => {
  const stub = startStubModel({ answers: airlineAnswer })
  const env = { TRACELAKE_OPENAI_BASE_URL: stub.url, OPENAI_API_KEY: 'sk-loop-test' }
  try {
    await onOwnServer({ env }, async (visit, { client }) => {
      const { page } = visit
      const hand = new Hand(page)
      await page.setViewportSize({ width: 1440, height: 900 })
      await visit.goTo('/ui/')
      await hand.click(page.getByRole('button', { name: 'Load the demo' }))
      await page.waitForURL(`**/ui/${project}/traces`)

      // The failing trace becomes a row, with the answer that it should have had.
      await hand.click(page.getByText('MaxStepsError').first())
      await page.getByRole('button', { name: 'Actions on the call' }).waitFor()
      await visit.settled()
      await hand.press('d')
      await page.getByText('1 without a value').waitFor()
      await visit.settled()
      await hand.choose(page.getByRole('combobox', { name: 'task' }), 'inputs.message')
      await hand.click(page.getByRole('textbox', { name: 'expected, corrected for this call' }))
      await hand.write(corrected)
      await picture(page, 'loop-row')
      await hand.click(page.getByRole('button', { name: 'Add 1 row as v2' }))
      await hand.click(page.getByRole('button', { name: 'Open', exact: true }))
      await page.getByRole('gridcell', { name: corrected }).waitFor()

      // The prompt is changed, and tried with rows of the dataset.
      await hand.click(page.getByRole('link', { name: 'Prompts' }))
      await hand.click(page.getByRole('link', { name: /airline_policy/ }).first())
      await hand.click(page.getByLabel('Text of message 1', { exact: true }))
      await hand.press('Control+End')
      await hand.write(` ${rule}`)
      await page.getByText('changed', { exact: true }).first().waitFor()
      await picture(page, 'loop-prompt')
      await hand.press('Control+s')
      await page.getByText('airline_policy v4 saved').waitFor()
      await hand.click(page.getByRole('button', { name: 'Try' }))
      await hand.choose(page.getByRole('combobox', { name: 'Dataset' }), 'airline-cases')
      await hand.click(page.getByRole('button', { name: 'Run on 20 rows' }))
      await page.getByText('20 done').waitFor()
      await picture(page, 'loop-playground')

      // It is evaluated against the version in production.
      await hand.click(page.getByRole('button', { name: 'Run as evaluation' }))
      const starting = page.getByRole('dialog', { name: 'Start evaluation' })
      await hand.click(starting.getByRole('button', { name: 'Add candidate' }))
      await starting.getByText('39 rows × 2 candidates = 78 model calls').waitFor()
      await picture(page, 'loop-start')
      await hand.click(starting.getByRole('button', { name: 'Start 2 runs over 39 rows' }))
      await page.getByText('39 of 39', { exact: true }).nth(1).waitFor()
      for (const key of ['j', 'x', 'j', 'x', 'c']) await hand.press(key)
      const verdict = page.getByRole('region', { name: 'solved.contains' }).getByText('better', { exact: true })
      await verdict.waitFor()
      await visit.settled()
      await picture(page, 'loop-verdict')

      // It goes to production.
      await hand.click(page.getByRole('link', { name: 'Prompts' }))
      await hand.click(page.getByRole('link', { name: /airline_policy/ }).first())
      await page.getByLabel('Text of message 1', { exact: true }).waitFor()
      await hand.press('d')
      await page.waitForURL(/from=.*to=/)
      await page.getByRole('region', { name: 'System' }).waitFor()
      await visit.settled()
      await hand.press('m')
      await page.getByRole('dialog').getByText('Move “production” of airline_policy').waitFor()
      await picture(page, 'loop-move')
      await hand.press('Control+Enter')
      await page.getByText('production of airline_policy: v2 → v4').waitFor()

      const asked = { project_id: project, object_id: 'airline_policy', digest: 'production' }
      const { obj } = (await client.post<{ obj: { version_index: number; val: StoredPrompt } }>('/obj/read', asked))
        .json
      expect(obj.version_index).toBe(4)
      expect(obj.val.messages[0]?.content).toEndWith(rule)
      expect(hand.clicks + hand.keys).toBeLessThanOrEqual(40)
      expect(hand.texts).toBe(2)
    })
  } finally {
    await stub.stop()
  }
}, 240_000)

interface StoredPrompt {
  readonly messages: readonly { readonly content: string }[]
}
