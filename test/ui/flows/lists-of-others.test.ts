import { test } from 'bun:test'
import { Project } from '../../conformance/support/project.ts'
import { until } from '../../conformance/support/until.ts'
import { onOwnServer } from '../support/own-server.ts'

/** Stores a version of a prompt. */
async function savePrompt({ client, id }: Project, content: string): Promise<void> {
  const val = {
    _type: 'MessagesPrompt',
    _class_name: 'MessagesPrompt',
    _bases: ['Prompt', 'Object', 'BaseModel'],
    messages: [{ role: 'user', content }],
    template_format: 'mustache',
    model: 'gpt-4o',
  }
  await client.post('/obj/create', { obj: { project_id: id, object_id: 'sayer', val } })
}

test('what another person saves meanwhile is offered once a select is opened', async () => {
  await onOwnServer({ env: { OPENAI_API_KEY: 'sk-lists-test' } }, async (visit, { client }) => {
    const { page } = visit
    const project = new Project(client, 'acme', 'lists')
    const saveRows = (count: number) => {
      const rows = Array.from({ length: count }, (_, at) => ({ question: `q${at}` }))
      return client.post('/v2/acme/lists/datasets', { name: 'words', rows })
    }
    await savePrompt(project, 'Say {{question}}')
    await saveRows(2)
    await visit.goTo(`/ui/${project.id}/playground?prompt=sayer`)
    const version = page.getByRole('combobox', { name: 'Version A', exact: true })
    await version.waitFor()
    await savePrompt(project, 'Say {{question}} twice')
    await Bun.sleep(1_100)
    await version.focus()
    await until(async () => (await version.locator('option').allTextContents()).includes('v1'))

    // Lists that are read already are read again by the dialog, before it begins.
    await visit.goTo(`/ui/${project.id}/datasets/words`)
    await page.getByText('2 rows', { exact: false }).first().waitFor()
    await visit.settled()
    await saveRows(3)
    await savePrompt(project, 'Say {{question}} three times')
    await Bun.sleep(1_100)
    await page.getByRole('button', { name: 'Evaluate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Start evaluation' })
    const prompt = dialog.getByRole('combobox', { name: 'Prompt of candidate 1' })
    await until(async () => /sayer:v2/.test((await prompt.locator('option:checked').textContent()) ?? ''))
    await saveRows(4)
    await Bun.sleep(1_100)
    const dataset = dialog.getByRole('combobox', { name: 'Version of the dataset' })
    await dataset.focus()
    await until(async () => (await dataset.locator('option').allTextContents()).includes('v2, 4 rows'))
  })
}, 120_000)
