import { expect, test } from 'bun:test'
import { createObject } from '../conformance/support/evaluation-engine.ts'
import { Project } from '../conformance/support/project.ts'
import { startServer } from '../conformance/support/server-process.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { runCommand } from './command.ts'

test('jobs left by a killed server are listed and dropped; the next start has none to resume', async () => {
  const data = await makeTempFolder()
  try {
    const server = await startServer({ data })
    const project = new Project(server.client, 'acme', 'bot')
    await project.start({ id: 'call' })
    await project.end({ id: 'call', output: `c${'ab'.repeat(2_500)}` })
    const alternatives = Array.from({ length: 40 }, (_, i) => `(a|b){1,${900 + i}}c`).join('|')
    const scorer = await createObject(project, 'slow', 'RegexScorer', { pattern: `(?:${alternatives})$` })
    const asked = { project_id: project.id, call_ids: ['call'], scorer_refs: [scorer] }
    expect((await server.client.post('/calls/score', asked)).status).toBe(200)
    await server.kill()

    const { out, code } = await runCommand('jobs', 'list', '--data', data)
    expect(code).toBe(0)
    const id = /^([0-9a-f-]{36}) +acme\/bot +score_calls /m.exec(out)?.[1]
    expect(id).toBeString()
    expect(await runCommand('jobs', 'drop', 'no-such', id!, '--data', data)).toMatchObject({
      code: 2,
      err: expect.stringContaining('there is no such job'),
    })
    expect((await runCommand('jobs', 'drop', id!, '--data', data)).out).toContain(
      `Dropped score_calls ${id} of acme/bot`,
    )
    expect((await runCommand('jobs', 'list', '--data', data)).out).toContain('No pending jobs')
    expect((await runCommand('jobs', 'drop', id!, '--data', data)).err).toContain('already cancelled')
  } finally {
    await removeFolder(data)
  }
}, 120_000)
