import { expect } from 'bun:test'
import { join } from 'node:path'
import { ForeignWriter } from '../../store/foreign-writer.ts'
import type { Answer } from '../support/client.ts'
import { testOfFolder } from '../support/data-place.ts'
import { startServer } from '../support/server-process.ts'
import { freshProject } from '../support/target.ts'

const rounds = 6

const test = testOfFolder('another program')

test('no request fails when another program compacts files and deletes the old ones immediately', async () => {
  const server = await startServer()
  try {
    const { client } = server
    const project = freshProject(client)
    const flush = () => client.post('/flush', {})
    for (const batch of [1, 2, 3]) {
      await project.complete(...Array.from({ length: 20 }, (_, at) => ({ id: `${batch}-${at}`, trace_id: `t${at}` })))
      expect((await flush()).status).toBe(200)
    }
    const other = new ForeignWriter(join(server.data, 'tables', 'calls'))
    const reads: (() => Promise<Answer<unknown>>)[] = [
      () => project.ask({ columns: ['id', 'trace_id'] }),
      () => project.ask({ columns: ['id', 'trace_id'] }, 'text/csv'),
      () => project.ask({ columns: ['id', 'trace_id'] }, 'application/vnd.apache.parquet'),
      () => client.post('/calls/query_stats', { project_id: project.id }),
      () => client.post('/call/read', { project_id: project.id, id: '1-7' }),
      () => client.post('/trace/usage', { project_id: project.id }),
      () => client.post('/project/stats', { project_id: project.id }),
    ]
    const linesIn = ({ text }: Answer<unknown>) => text.split('\n').length
    const statuses = (answers: readonly Answer<unknown>[]) => answers.map(({ status }) => status)
    const before = await Promise.all(reads.map((read) => read()))
    expect(statuses(before)).toEqual(reads.map(() => 200))
    for (let round = 0; round < rounds; round++) {
      await project.update('2-3', `name ${round}`)
      const replaced = await other.replacement()
      // Those that follow come too soon after this one to look for commits.
      await client.post('/calls/query_stats', { project_id: project.id })
      if (round % 2 === 1) await project.update('2-5', `name ${round}`)
      other.commit(...replaced)
      other.vacuum()
      const answers = await Promise.all([...reads.map((read) => read()), ...(round % 2 === 1 ? [flush()] : [])])
      expect(statuses(answers)).toEqual(answers.map(() => 200))
      for (const at of [0, 1, 3]) expect(linesIn(answers[at]!)).toBe(linesIn(before[at]!))
      expect(await project.readExisting('2-3')).toMatchObject({ display_name: `name ${round}`, trace_id: 't3' })
    }
    const health = await client.get('/health')
    expect([health.status, health.text.includes('damaged_files')]).toEqual([200, false])
  } finally {
    await server.stop()
  }
}, 120_000)
