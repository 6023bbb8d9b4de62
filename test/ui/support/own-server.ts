import { type ServerProcess, startServer } from '../../conformance/support/server-process.ts'
import { Browser } from '../../conformance/ui/browser.ts'
import { type Visit, visiting } from './visit.ts'
import type { Role } from './world.ts'

/**
 * Runs `look` on an empty server of its own, signed in with a key of `role`; `expected` are the
 * faults that the page may report.
 */
export async function onOwnServer(
  { env = {}, role = 'admin', expected = [] }: { env?: Record<string, string>; role?: Role; expected?: RegExp[] },
  look: (visit: Visit, server: ServerProcess) => Promise<void>,
): Promise<void> {
  const server = await startServer({ env })
  try {
    const { address } = server.client
    const key = role === 'admin' ? server.adminKey : await server.createKey({ name: role, role, scope: '*' })
    const { cookie } = await new Browser(address).logIn(key)
    await visiting({ address, cookie, expected }, (visit) => look(visit, server))
  } finally {
    await server.stop()
  }
}
