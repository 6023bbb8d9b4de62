import { expect, test } from 'bun:test'
import { startStubModel } from '../../../scripts/stub-model/server.ts'
import { createEvaluation, createObject, evaluate } from '../../conformance/support/evaluation-engine.ts'
import { Project } from '../../conformance/support/project.ts'
import { until } from '../../conformance/support/until.ts'
import { onOwnServer } from '../support/own-server.ts'

const rows = Array.from({ length: 10 }, (_, index) => ({ question: `q${index}`, expected: `You said: q${index}` }))

test('a run is paused, stays so after a reload, and goes on without paying a row twice', async () => {
  const waiting: (() => void)[] = []
  let isOpen = false
  const stub = startStubModel({
    hold: () => (isOpen ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve))),
  })
  const env = { TRACELAKE_OPENAI_BASE_URL: stub.url, OPENAI_API_KEY: 'stub' }
  try {
    await onOwnServer({ env }, async (visit, { client }) => {
      const { page } = visit
      const project = new Project(client, 'acme', 'paused')
      const model = await createObject(project, 'llm', 'LLMStructuredCompletionModel', { llm_model_id: 'gpt-4o' })
      const scorer = await createObject(project, 'exact', 'ExactMatchScorer', {})
      const id = await evaluate(project, { evaluation: await createEvaluation(project, rows, [scorer]), model })
      await until(() => waiting.length === 4)
      await visit.goTo(`/ui/${project.id}/evaluations/${id}`)
      await page.getByRole('button', { name: 'Pause', exact: true }).click()
      await page.getByText('The run pauses: rows in progress end first').waitFor()
      const pausing = page.getByRole('button', { name: 'Pausing' })
      await pausing.waitFor()
      expect(await pausing.isDisabled()).toBe(true)
      for (const go of waiting.splice(0)) go()
      await page.getByText('Paused, also across restarts').waitFor()
      await page.getByText('4 of 10 rows ended').waitFor()
      await page.reload()
      await page.getByRole('button', { name: 'Resume 6 rows' }).waitFor()

      await visit.goTo(`/ui/${project.id}/evaluations`)
      await page.getByRole('combobox', { name: 'State' }).selectOption('paused')
      await page.getByText('Paused. 4 rows are kept, 6 wait.').waitFor()
      expect(stub.requests.length).toBe(4)
      isOpen = true
      await page.getByRole('button', { name: 'Resume 6 rows' }).click()
      await page.getByText('The run goes on').waitFor()
      await page.getByRole('combobox', { name: 'State' }).selectOption('done')
      await page.getByText('10 of 10').waitFor()
      expect(stub.requests.length).toBe(10)
    })
  } finally {
    await stub.stop()
  }
})
