import { type Static, Type } from '@sinclair/typebox'
import { requestLimits } from '../../../lib/limits/requests.ts'
import type { Documents } from '../../../runtime/documents/documents.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import { randomHex, sha256Hex } from '../../../runtime/platform/crypto.ts'
import { DamagedDocument, DocumentFormat } from '../document-format.ts'

const LinkFile = Type.Object({
  version: Type.Literal(1),
  links: Type.Array(Type.Object({ hash: Type.String(), expires_ms: Type.Number() })),
})
type Link = Static<typeof LinkFile>['links'][number]

const linkFormat = new DocumentFormat('login-links.json', 'file of login links', LinkFile)

/**
 * Single-use login links for the operator of the server. Anyone who can write to the data folder,
 * or to the object store, can make one, whether or not a server is running; the server looks for
 * them when one is used.
 */
export class LoginLinks {
  private readonly documents: Documents
  private readonly clock: Clock

  constructor(documents: Documents, clock: Clock) {
    this.documents = documents
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
    const known = this.linksIn(await this.documents.find(linkFormat.name))
    if (!known.some((link) => link.hash === hash)) return false
    let isFound = false
    await this.change((links) => {
      isFound = links.some((link) => link.hash === hash)
      return links.filter((link) => link.hash !== hash)
    })
    return isFound
  }

  private change(edit: (links: readonly Link[]) => readonly Link[]): Promise<void> {
    return this.documents.change(linkFormat.name, (before) => ({ version: 1, links: edit(this.linksIn(before)) }))
  }

  /** Links that have not expired, oldest first. Half a file, as a full disk leaves it, has none. */
  private linksIn(text: string | undefined): readonly Link[] {
    const nowMs = this.clock.nowMs()
    // A clock that was set back must not lengthen a life.
    return this.allIn(text).filter(
      ({ expires_ms }) => expires_ms > nowMs && expires_ms <= nowMs + requestLimits.loginLinkMs,
    )
  }

  private allIn(text: string | undefined): readonly Link[] {
    try {
      return linkFormat.contentOf(text, this.documents)?.links ?? []
    } catch (cause) {
      if (cause instanceof DamagedDocument) return []
      throw cause
    }
  }
}
