import type { Page } from 'playwright-core'
import { startStubModel } from '../../../scripts/stub-model/server.ts'
import { Project } from '../../conformance/support/project.ts'
import { onOwnServer } from './own-server.ts'
import type { Visit } from './visit.ts'

/** The column with a letter. */
export const column = (page: Page, letter: string) =>
  page.getByRole('region', { name: `Column ${letter}`, exact: true })
/** The answer in a column. */
export const answer = (page: Page, letter: string) => column(page, letter).getByRole('article', { name: 'Answer' })

/** A tool of the seeded call. */
export const tool = {
  type: 'function',
  function: { name: 'find', parameters: { type: 'object', properties: { q: {} } } },
}

/** A project on a server whose provider is the stub, with a call, a prompt and a dataset. */
export async function withProvider(
  look: (visit: Visit, seeded: Seeded) => Promise<void>,
  expected: RegExp[] = [],
): Promise<void> {
  const stub = startStubModel()
  try {
    const env = { TRACELAKE_OPENAI_BASE_URL: stub.url, OPENAI_API_KEY: 'sk-playground-test' }
    await onOwnServer({ env, expected }, async (visit, { client }) => {
      const project = new Project(client, 'acme', 'play')
      const inputs = {
        model: 'gpt-4o-mini',
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'Refund M20IZO' },
        ],
        temperature: 0.5,
        logit_bias: { 42: -1 },
        tools: [tool],
        api_key: 'a secret',
      }
      const call = (
        await client.post<{ ext_call_id: string }>('/completions/create', { project_id: project.id, inputs })
      ).json.ext_call_id
      const val = {
        _type: 'MessagesPrompt',
        _class_name: 'MessagesPrompt',
        _bases: ['Prompt', 'Object', 'BaseModel'],
        messages: [{ role: 'user', content: 'Say {{word}}' }],
        template_format: 'mustache',
        model: 'gpt-4o-mini',
      }
      await client.post('/obj/create', { obj: { project_id: project.id, object_id: 'sayer', val } })
      const rows = Array.from({ length: 30 }, (_, at) => ({ word: `w${at}` }))
      await client.post('/v2/acme/play/datasets', { name: 'words', rows })
      await look(visit, { project, call, stub })
    })
  } finally {
    await stub.stop()
  }
}

interface Seeded {
  readonly project: Project
  readonly call: string
  readonly stub: ReturnType<typeof startStubModel>
}
