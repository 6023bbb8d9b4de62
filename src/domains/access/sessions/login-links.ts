import { type Static, Type } from '@sinclair/typebox'
import { requestLimits } from '../../../lib/limits/requests.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import { randomHex, sha256Hex } from '../../../runtime/platform/crypto.ts'
import { withFileLock } from '../../../runtime/platform/files/file-lock.ts'
import { joinPath } from '../../../runtime/platform/files/paths.ts'
import { DamagedFile, PrivateFile } from '../private-file.ts'

/** The file in a data folder that holds the login links which have not been used. */
const linkFileName = 'login-links.json'

const LinkFile = Type.Object({
  version: Type.Literal(1),
  links: Type.Array(Type.Object({ hash: Type.String(), expires_ms: Type.Number() })),
})
type Link = Static<typeof LinkFile>['links'][number]

const linkFile = new PrivateFile('file of login links', LinkFile)

const lockOptions = { staleAfterMs: requestLimits.fileLockStaleMs, waitMs: requestLimits.fileLockWaitMs }

/**
 * Single-use login links for the operator of the server. Anyone who can write to the data folder
 * can make one, whether or not a server is running; the server looks at the file when one is used.
 */
export class LoginLinks {
  private readonly file: string
  private readonly clock: Clock

  constructor(dataFolder: string, clock: Clock) {
    this.file = joinPath(dataFolder, linkFileName)
    this.clock = clock
  }

  /** Makes a link that lives for ten minutes and returns its secret. */
  async create(): Promise<string> {
    const once = randomHex(32)
    await this.change((links) => [
      ...links.slice(1 - requestLimits.loginLinksMax),
      { hash: sha256Hex(once), expires_ms: this.clock.nowMs() + requestLimits.loginLinkMs },
    ])
    return once
  }

  /** Whether `once` belongs to a link, which is of no use from then on. */
  async redeem(once: string): Promise<boolean> {
    const hash = sha256Hex(once)
    // Guesses do not reach the lock.
    if (!(await this.read()).some((link) => link.hash === hash)) return false
    let isFound = false
    await this.change((links) => {
      isFound = links.some((link) => link.hash === hash)
      return links.filter((link) => link.hash !== hash)
    })
    return isFound
  }

  private async change(edit: (links: readonly Link[]) => readonly Link[]): Promise<void> {
    await withFileLock(`${this.file}.lock`, lockOptions, async (lock) => {
      const links = edit(await this.read())
      if (!(await lock.isHeld())) throw new Error(`Change "${this.file}": another process took the lock; try again`)
      await linkFile.write(this.file, { version: 1, links: [...links] })
    })
  }

  /** Links that have not expired, oldest first. Half a file, as a full disk leaves it, has none. */
  private async read(): Promise<readonly Link[]> {
    const content = await linkFile.read(this.file).catch((err: unknown) => {
      if (err instanceof DamagedFile) return undefined
      throw err
    })
    if (content === undefined) return []
    const nowMs = this.clock.nowMs()
    // A clock that was set back must not lengthen a life.
    return content.links.filter(
      ({ expires_ms }) => expires_ms > nowMs && expires_ms <= nowMs + requestLimits.loginLinkMs,
    )
  }
}
