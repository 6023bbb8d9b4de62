import { afterAll } from 'bun:test'
import { loadConfig } from '../../src/runtime/config.ts'
import { createLog } from '../../src/runtime/log.ts'
import { createApp } from '../../src/server/app.ts'
import { openContext } from '../../src/server/context.ts'
import { basic } from '../conformance/support/client.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'

const adminKey = 'key-of-the-test'

/**
 * A server in the test's own process, so that its requests to providers can be intercepted; closed
 * after the file's last test.
 */
export async function serverInProcess(variables: Readonly<Record<string, string>>) {
  const data = await makeTempFolder()
  const all: Readonly<Record<string, string>> = {
    TRACELAKE_DATA: `${data}/data`,
    TRACELAKE_ADMIN_KEY: adminKey,
    ...variables,
  }
  const log = createLog('silent')
  const context = await openContext(
    loadConfig({}, (name) => all[name]),
    log,
  )
  afterAll(async () => {
    await context.close()
    await removeFolder(data)
  })
  const { fetch } = createApp(context)
  const post = async (path: string, body: unknown): Promise<Response> =>
    await fetch(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { authorization: basic('api', adminKey), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      { ip: () => undefined, holdOpen: () => () => {} },
    )
  return { post }
}
