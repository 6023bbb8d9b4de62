import { afterAll } from 'bun:test'
import { type StubModel, startStubModel } from '../../../scripts/stub-model/server.ts'
import type { Answer } from './client.ts'
import type { Project } from './project.ts'
import type { ServerProcess } from './server-process.ts'
import { ownServer } from './target.ts'

export const providerKey = 'sk-conformance-0123456789'

export interface CompletionAnswer {
  response: {
    error?: string
    choices?: { message: Record<string, unknown>; finish_reason: string }[]
    usage?: Record<string, unknown>
  }
  ext_call_id: string | null
  span_id: string | null
  trace_id: string | null
  conversation_id: string | null
}

/** A server whose provider "openai" is a stub on this machine, and the stub. */
export async function serverWithStub(
  env: Record<string, string> = {},
): Promise<{ server: ServerProcess; stub: StubModel }> {
  const stub = startStubModel()
  afterAll(() => stub.stop())
  const server = await ownServer({ env: { TRACELAKE_OPENAI_BASE_URL: stub.url, OPENAI_API_KEY: providerKey, ...env } })
  return { server, stub }
}

/** The least that a completion needs. */
export const questionOf = (
  project: Project,
  inputs: Record<string, unknown> = {},
  members: Record<string, unknown> = {},
) => ({
  project_id: project.id,
  inputs: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello there' }], ...inputs },
  ...members,
})

/** `completions/create`, whatever the answer. */
export const ask = (
  project: Project,
  inputs: Record<string, unknown> = {},
  members: Record<string, unknown> = {},
): Promise<Answer<CompletionAnswer>> => project.client.post('/completions/create', questionOf(project, inputs, members))

/** Lines of `completions/create_stream`. */
export async function stream(
  project: Project,
  inputs: Record<string, unknown> = {},
  members: Record<string, unknown> = {},
): Promise<Record<string, unknown>[]> {
  const answer = await project.client.post('/completions/create_stream', questionOf(project, inputs, members))
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
