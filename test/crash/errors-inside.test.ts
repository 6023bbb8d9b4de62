import { expect, test } from 'bun:test'
import { isFailed } from '../../src/lib/failed-calls.ts'
import type { Client } from '../conformance/support/client.ts'
import { Project } from '../conformance/support/project.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { readDeltaTable, tableFolder } from '../store/folder-state.ts'
import { ServerChild } from './server-child.ts'

const adminKey = 'e'.repeat(40)
const t = { trace_id: 't' }

/** How many calls the data files hold, by the Delta log alone. */
async function callsInFiles(data: string): Promise<number> {
  const { files } = await readDeltaTable(tableFolder(data, 'calls'))
  return files.reduce((sum, { stats }) => sum + stats.numRecords, 0)
}

/** Status and cause of every call. */
async function whatIsKnown(project: Project): Promise<Record<string, unknown>> {
  const calls = await project.query({ columns: ['id', 'summary'] })
  return Object.fromEntries(calls.map(({ id, summary: { ext } }) => [id, [ext['status'], ext['error_inside'] ?? null]]))
}

test('ancestors in a file learn of a failure acknowledged before a kill, once a parent arrives after it', async () => {
  const data = await makeTempFolder()
  const projectOn = (client: Client) => new Project(client, 'crash', 'errors-inside')
  const cause = (depth: number) => ({ call_id: 'tool', error: 'ValueError: no', depth })
  try {
    const first = new ServerChild({ kind: 'plain', data, adminKey })
    try {
      const client = await first.listening()
      const project = projectOn(client)
      await project.complete({ id: 'root', ...t }, { id: 'step', parent_id: 'root', ...t })
      await project.start({ id: 'agent', parent_id: 'step', ...t })
      await project.end({ id: 'agent' })
      expect((await client.post('/flush', {})).status).toBe(200)
      expect(await callsInFiles(data)).toBe(3)
      // In the log only: a failure below a call yet to arrive, and one below a call in the file.
      await project.complete({ id: 'tool', parent_id: 'late', ...t, exception: 'ValueError: no' })
      await project.complete({ id: 'retry', parent_id: 'step', ...t, exception: 'TimeoutError' })
    } finally {
      await first.kill()
    }
    expect(await callsInFiles(data)).toBe(3)

    const second = new ServerChild({ kind: 'plain', data, adminKey })
    try {
      const project = projectOn(await second.listening())
      const known = { call_id: 'retry', error: 'TimeoutError' }
      expect(await whatIsKnown(project)).toEqual({
        root: ['descendant_error', { ...known, depth: 2 }],
        step: ['descendant_error', { ...known, depth: 1 }],
        agent: ['success', null],
        retry: ['error', null],
        tool: ['error', null],
      })
      await project.complete({ id: 'late', parent_id: 'agent', ...t })
      const whole = {
        root: ['descendant_error', cause(4)],
        step: ['descendant_error', cause(3)],
        agent: ['descendant_error', cause(2)],
        late: ['descendant_error', cause(1)],
        retry: ['error', null],
        tool: ['error', null],
      }
      expect(await whatIsKnown(project)).toEqual(whole)
      expect((await project.stats({ query: { $expr: isFailed } })).count).toBe(6)
    } finally {
      await second.kill()
    }

    // What was learned is not in a file yet: it follows from the log again.
    const third = new ServerChild({ kind: 'plain', data, adminKey })
    try {
      const client = await third.listening()
      const before = await whatIsKnown(projectOn(client))
      expect(Object.values(before).map((each) => (each as unknown[])[0])).not.toContain('success')
      expect((await client.post('/flush', {})).status).toBe(200)
      expect(await callsInFiles(data)).toBe(6)
      expect(await whatIsKnown(projectOn(client))).toEqual(before)
      expect(before).toMatchObject({ root: ['descendant_error', cause(4)], agent: ['descendant_error', cause(2)] })
    } finally {
      await third.kill()
    }
  } finally {
    await removeFolder(data)
  }
}, 300_000)
