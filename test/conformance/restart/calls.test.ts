import { expect, test } from 'bun:test'
import { exportOf, groupOf, send, spanOf } from '../support/otlp.ts'
import { Project } from '../support/project.ts'
import { startServer } from '../support/server-process.ts'
import { freshProject } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'

const testMsMax = 120_000

/** Texts that need escapes in JSON or that look like JSON syntax. */
const odd =
  'quote " backslash \\ slash / tab \t feed \f null \u0000 bell \u0007 delete \u007f \u2028 ä 語 😀 ,"":0} {"a":1}'

const textOfRead = async (project: Project, id: string, flags: Record<string, boolean>): Promise<string> =>
  (await project.client.post('/call/read', { project_id: project.id, id, ...flags })).text

for (const dialect of ['ext', 'weave'] as const) {
  test(
    `a call reads the same to the letter while it is in memory, out of files, and in a stream (${dialect})`,
    async () => {
      const env = { TRACELAKE_DIALECT: dialect }
      const data = await makeTempFolder()
      const first = await startServer({ env, data })
      const project = freshProject(first.client)
      await project.add(
        { id: 'plain' },
        { id: 'odd', display_name: odd.slice(0, 100), exception: odd, inputs: { [odd]: odd }, output: odd },
        { id: 'renamed', display_name: 'Before' },
        { id: 'unnamed', display_name: 'Before' },
        { id: 'parents', trace_id: 't', parent_id: 'plain', thread_id: 'h', turn_id: 'u' },
        {
          id: 'failed',
          exception: 'E',
          summary: { status_counts: { error: 1, success: 0 }, usage: { m: { requests: 1 } } },
        },
        { id: 'whole-second', started_at: '2026-01-05T08:00:00Z', ended_at: '2026-01-05T08:00:00.000001Z' },
        { id: 'no-payload', inputs: {}, attributes: {}, summary: {}, output: null },
        { id: 'null-inside', inputs: { a: null }, output: [null, 1.5, -0, 1e30, '1.0', { b: [] }] },
      )
      await project.update('renamed', 'After')
      await project.update('unnamed', '')
      const number = '{"n":1.0,"big":123456789012345678901234567890,"e":1E5}'
      const raw = `{"start":{"project_id":"${project.id}","id":"numbers","trace_id":"t","op_name":"f","started_at":1767600000,"attributes":${number},"inputs":${number}}}`
      expect((await project.client.postRaw('/call/start', raw)).status).toBe(200)
      const spans = [
        spanOf({ spanId: '00000000000000aa', attributes: { 'gen_ai.prompt': odd } }),
        spanOf({ spanId: '00000000000000bb' }),
      ]
      const sent = await send(project.client, exportOf(groupOf(spans)), 'json', { headers: { project_id: project.id } })
      expect(sent).toMatchObject({ status: 200, rejected: 0 })

      const ids = await project.idsOf()
      expect(ids).toHaveLength(12)
      const flagsAsked = [{}, { include_storage_size: true }]
      const read = async (from: Project) => {
        const texts: string[] = []
        for (const id of ids) for (const flags of flagsAsked) texts.push(await textOfRead(from, id, flags))
        return texts
      }
      const streamed = async (from: Project) => {
        const texts: string[] = []
        for (const id of ids)
          for (const flags of flagsAsked)
            texts.push(`{"call":${(await from.ask({ filter: { call_ids: [id] }, ...flags })).text.trimEnd()}}`)
        return texts
      }
      const hot = await read(project)
      expect(await first.stop()).toBe(0)
      const second = await startServer({ env, data, adminKey: first.adminKey })
      try {
        const again = new Project(second.client, project.entity, project.name)
        const inFiles = await read(again)
        expect(inFiles).toEqual(await streamed(again))
        expect(inFiles).toEqual(hot)
      } finally {
        await second.stop()
        await removeFolder(data)
      }
    },
    testMsMax,
  )
}
