import { afterAll, expect, test } from 'bun:test'
import { Project } from '../support/project.ts'
import { runServerToItsEnd, startServer } from '../support/server-process.ts'
import { freshProject } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'

const testMsMax = 120_000
const folders: string[] = []

async function freshFolder(): Promise<string> {
  const folder = await makeTempFolder()
  folders.push(folder)
  return folder
}

afterAll(async () => {
  for (const folder of folders) await removeFolder(folder)
})

test(
  'the server shuts down cleanly on request, and everything reads the same after a restart',
  async () => {
    const data = await freshFolder()
    const first = await startServer({ data })
    const project = freshProject(first.client)
    await project.add(
      { id: 'finished', trace_id: 't', inputs: { 'a.b': [1, { c: 'ä' }] }, output: { text: 'x'.repeat(1000) } },
      { id: 'child', trace_id: 't', parent_id: 'finished', exception: 'E', summary: { usage: { m: { requests: 1 } } } },
      { id: 'running', ended_at: null, thread_id: 'h' },
      { id: 'deleted' },
      { id: 'renamed', display_name: 'Before' },
    )
    await project.end({ id: 'ended-early', output: 5 })
    await project.delete('deleted')
    await project.update('renamed', 'After')
    await project.complete(...Array.from({ length: 300 }, (_, index) => ({ id: `many-${index}`, inputs: { index } })))
    const before = await project.ask({ include_storage_size: true, include_usernames: true })
    expect(before.text.split('\n')).toHaveLength(305)

    expect(await first.stop()).toBe(0)
    const second = await startServer({ data, adminKey: first.adminKey })
    try {
      const again = new Project(second.client, project.entity, project.name)
      const after = await again.ask({ include_storage_size: true, include_usernames: true })
      expect(after.text).toBe(before.text)
      expect(await again.read('deleted')).toBeNull()

      await again.end({ id: 'running', output: 'late' })
      expect(await again.readExisting('running')).toMatchObject({ thread_id: 'h', output: 'late' })
      await again.start({ id: 'ended-early' })
      expect((await again.readExisting('ended-early')).output).toBe(5)
    } finally {
      await second.stop()
    }
  },
  testMsMax,
)

test(
  'a second server on a data folder fails and names the process that holds it',
  async () => {
    const holder = await startServer({ data: await freshFolder() })
    try {
      const { exitCode, output } = await runServerToItsEnd(holder.data)
      expect(exitCode).not.toBe(0)
      expect(output).toMatch(new RegExp(`\\b${holder.processId}\\b`))
      expect((await holder.client.get('/health', { key: null })).json).toEqual({ status: 'ok' })
    } finally {
      await holder.stop()
    }
  },
  testMsMax,
)

test(
  'keys survive a restart',
  async () => {
    const data = await freshFolder()
    const first = await startServer({ data })
    const key = await first.createKey({ name: 'keeper', role: 'write', scope: '*' })
    await first.stop()
    const second = await startServer({ data, adminKey: first.adminKey })
    try {
      const project = freshProject(second.client).withKey(key)
      await project.start({ id: 'a' })
      expect(await project.read('a')).not.toBeNull()
    } finally {
      await second.stop()
    }
  },
  testMsMax,
)
