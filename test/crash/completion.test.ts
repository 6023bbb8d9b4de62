import { afterAll, expect, test } from 'bun:test'
import { startStubModel } from '../../scripts/stub-model/server.ts'
import { basic } from '../conformance/support/client.ts'
import { questionOf } from '../conformance/support/completions.ts'
import { startServer } from '../conformance/support/server-process.ts'
import { freshProject } from '../conformance/support/target.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'

const stub = startStubModel()
afterAll(() => stub.stop())

test('a completion interrupted by a crash was stored before its first chunk and is still running', async () => {
  const data = await makeTempFolder()
  const env = { TRACELAKE_OPENAI_BASE_URL: stub.url, OPENAI_API_KEY: 'sk-crash' }
  const first = await startServer({ data, env })
  const project = freshProject(first.client)
  const response = await fetch(`${first.client.address}/completions/create_stream`, {
    method: 'POST',
    headers: { authorization: basic('api', first.adminKey), 'content-type': 'application/json' },
    body: JSON.stringify(questionOf(project, { model: 'stub-slow' })),
  })
  const reader = response.body!.getReader()
  const { value } = await reader.read()
  const { _meta } = JSON.parse(new TextDecoder().decode(value)) as { _meta: { ext_call_id: string } }
  await first.kill()
  await reader.cancel().catch(() => {})

  const second = await startServer({ data, env, adminKey: first.adminKey })
  try {
    const body = { project_id: project.id, id: _meta.ext_call_id }
    expect((await second.client.post('/call/read', body)).json).toMatchObject({
      call: {
        inputs: questionOf(project, { model: 'stub-slow' }).inputs,
        ended_at: null,
        summary: { ext: { status: 'running' } },
      },
    })
  } finally {
    await second.stop()
    await removeFolder(data)
  }
}, 300_000)
