import { ServerChild } from '../crash/server-child.ts'
import { type ExpectedView, expectedViews } from './expected.ts'
import { fillForViews } from './fill.ts'

/** Fills a data folder, and returns what the views over it must hold. The server has ended then. */
export async function serveAndFill(data: string): Promise<Record<string, ExpectedView>> {
  const server = new ServerChild({ kind: 'plain', data, adminKey: 'v'.repeat(40) })
  try {
    const client = await server.listening()
    await fillForViews(client)
    const expected = await expectedViews(client)
    await server.stop()
    return expected
  } finally {
    await server.kill()
  }
}
