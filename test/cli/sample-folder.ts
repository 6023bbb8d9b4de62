import type { Client } from '../conformance/support/client.ts'
import { upload } from '../conformance/support/files.ts'
import { ProjectObjects } from '../conformance/support/objects.ts'
import { Project } from '../conformance/support/project.ts'
import { Tables } from '../conformance/support/tables.ts'
import { ServerChild } from '../crash/server-child.ts'
import { endedCalls } from './sample-calls.ts'

const adminKey = 'c'.repeat(40)

/**
 * A data folder of a server that was stopped twice and killed once: two Parquet files of calls, a
 * file, a row table, an object with a deleted version, and a call that is only in the log.
 */
export async function makeSampleFolder(data: string): Promise<void> {
  await whileServing(data, 'stop', async (client) => {
    await sendCalls(client, ['a', 'b', 'c'])
    const project = new Project(client, 'acme', 'one')
    await upload(project, { content: 'hello' })
    await new Tables(project).askCreate([{ n: 1 }, { n: 2 }, { n: 3 }])
    const objects = new ProjectObjects(client, project.id)
    await objects.create('prompt', {
      '2': 1.0,
      at: `ext-internal:///${Buffer.from(project.id).toString('base64url')}/object/x:y`,
    })
    await objects.delete('prompt', await objects.create('prompt', 'gone'))
  })
  await whileServing(data, 'stop', (client) => sendCalls(client, ['d', 'e']))
  await whileServing(data, 'kill', (client) => sendCalls(client, ['f']))
}

async function whileServing(
  data: string,
  end: 'stop' | 'kill',
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const server = new ServerChild({ kind: 'plain', data, adminKey })
  try {
    await work(await server.listening())
    if (end === 'stop') await server.stop()
  } finally {
    await server.kill()
  }
}

async function sendCalls(client: Client, ids: readonly string[]): Promise<void> {
  const answer = await client.post('/v2/acme/one/calls/complete', { batch: endedCalls(ids, 400) })
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
}
