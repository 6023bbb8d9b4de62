import { expect, test } from 'bun:test'
import { startServer } from '../conformance/support/server-process.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { Browser } from '../conformance/ui/browser.ts'
import { Random, seedOr } from '../store/random.ts'

const rounds = 6
const random = new Random(seedOr(20_261_123))

test('logins and logouts that were acknowledged survive a kill, and no other session appears', async () => {
  const data = await makeTempFolder()
  let server = await startServer({ data })
  const { adminKey } = server
  const open = new Set<string>()
  const closed = new Set<string>()
  try {
    for (let round = 0; round < rounds; round++) {
      const { address } = server.client
      const visits = Array.from({ length: 8 }, async (_, visit) => {
        const page = new Browser(address)
        for (let turn = 0; turn < 4; turn++) {
          await page.logIn(adminKey)
          const cookie = page.cookie!
          if ((visit + turn) % 2 === 0) {
            open.add(cookie)
            page.cookie = undefined
            continue
          }
          // A logout that is not acknowledged may have happened or not.
          await page.send('DELETE', '/ui/session')
          closed.add(cookie)
        }
      })
      const over = Promise.allSettled(visits)
      await Bun.sleep(random.between(10, 200))
      while (open.size + closed.size === 0) await Bun.sleep(10)
      await server.kill()
      await over
      server = await startServer({ data, adminKey })
      for (const [cookies, isOpen] of [
        [open, true],
        [closed, false],
      ] as const) {
        for (const cookie of cookies) {
          const page = new Browser(server.client.address)
          expect(await page.isLoggedIn(cookie)).toBe(isOpen)
        }
      }
      // A key may have 50 sessions.
      for (const cookie of open) {
        const page = new Browser(server.client.address)
        page.cookie = cookie
        await page.send('DELETE', '/ui/session')
        closed.add(cookie)
      }
      open.clear()
    }
    expect(closed.size).toBeGreaterThan(0)
  } finally {
    await server.stop()
    await removeFolder(data)
  }
}, 300_000)
