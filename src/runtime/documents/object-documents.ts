import { KeyedMutex } from '../../lib/concurrency.ts'
import { DomainError } from '../../lib/errors.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { documentLimits } from '../../lib/limits/objects.ts'
import { memberOf } from '../../lib/present.ts'
import type { ObjectStore, StoredObject } from '../objects/object-store.ts'
import { findObject, type PutOutcome, putOwn } from '../objects/put-own.ts'
import { unavailableIfFailed } from '../objects/store-failures.ts'
import { randomHex } from '../platform/crypto.ts'
import { delay } from '../platform/event-loop.ts'
import { type DocumentContent, type Documents, documentText, type Editing, type OwnDocument } from './documents.ts'

interface ObjectDocumentsOptions {
  readonly store: ObjectStore
  /** Named in the documents, for those who look into the store. */
  readonly node: string
  /** Called when another server turns out to own a document of this one. */
  readonly onReplaced?: () => void
  /** Of a clock that is never set. */
  readonly nowMs?: () => number
}

interface Found {
  readonly text: string | undefined
  /** Of the object; undefined if there is none. */
  readonly tag: string | undefined
}

/** What is known of the version of a document. */
interface Known {
  readonly version: string | undefined
  readonly sinceMs: number
}

/**
 * Documents as objects. Each has a member that says which node has written it and makes every
 * version different, so that a put whose answer was lost is recognized.
 */
export class ObjectDocuments implements Documents {
  private readonly store: ObjectStore
  private readonly node: string
  private readonly onReplaced: () => void
  private readonly nowMs: () => number
  private readonly known = new Map<string, Known>()
  /** Changes by this node wait for each other instead of racing. */
  private readonly changes = new KeyedMutex()
  private readonly asking = new Map<string, Promise<string | undefined>>()
  /** Questions for the newest version that are sent soon, and when the last ones were sent. */
  private readonly askingLater = new Map<string, Promise<string | undefined>>()
  private readonly askedMs = new Map<string, number>()

  constructor({ store, node, onReplaced = () => {}, nowMs = () => performance.now() }: ObjectDocumentsOptions) {
    this.store = store
    this.node = node
    this.onReplaced = onReplaced
    this.nowMs = nowMs
  }

  placeOf(name: string): string {
    return `${this.store.place}/${name}`
  }

  async find(name: string): Promise<string | undefined> {
    return (await this.read(name)).text
  }

  /**
   * From memory while that is recent. The store is asked again early enough that no request waits
   * for it, as long as requests keep coming. If it does not answer soon, the last known version.
   */
  async version(name: string): Promise<string | undefined> {
    const known = this.known.get(name)
    if (known === undefined) return await this.ask(name)
    const ageMs = this.nowMs() - known.sinceMs
    if (ageMs < documentLimits.askedAgainMs) return known.version
    const answer = this.ask(name)
    if (ageMs < documentLimits.knownForMs) {
      answer.catch(() => {})
      return known.version
    }
    // Not every request may wait for a store that does not answer.
    if (!(await isSoon(answer))) this.know(name, this.known.get(name)?.version)
    return this.known.get(name)?.version
  }

  /** All who call this within a while share a request: anyone can send any number of wrong keys. */
  async newestVersion(name: string): Promise<string | undefined> {
    let answer = this.askingLater.get(name)
    if (answer === undefined) {
      answer = this.askLater(name)
      this.askingLater.set(name, answer)
    }
    if (!this.known.has(name)) return await answer
    await isSoon(answer)
    return this.known.get(name)?.version
  }

  change(name: string, edit: (before: string | undefined) => Editing): Promise<void> {
    return this.changes.run(name, () => this.changeNow(name, edit))
  }

  private async changeNow(name: string, edit: (before: string | undefined) => Editing): Promise<void> {
    for (let tries = 1; tries <= documentLimits.changeTriesMax; tries++) {
      const { text, tag } = await this.read(name)
      const content = await edit(text)
      if (content === null) return
      const outcome = await this.put(name, content, `${this.node} ${randomHex(16)}`, tag)
      if (outcome.isOurs) return
      await delay(Math.random() * documentLimits.changeWaitMs * tries)
    }
    throw new DomainError('StoreUnavailable', 'Cannot store the change: other changes came first every time; try again')
  }

  /**
   * Writes the document anew, so that a later write of the server before loses the race: that
   * server does not know this version.
   */
  async own(name: string): Promise<OwnDocument> {
    const owner = `${this.node} ${randomHex(16)}`
    for (let tries = 1; tries <= documentLimits.changeTriesMax; tries++) {
      const { text, tag } = await this.read(name)
      const content = text === undefined ? {} : contentOf(text)
      // A damaged document is kept until there is another one.
      if (content === undefined) return this.ownedSince(name, { text, tag }, owner)
      const outcome = await this.put(name, content, `${owner} 0`, tag)
      if (outcome.isOurs) return this.ownedSince(name, { text, tag: outcome.tag }, owner)
    }
    throw new DomainError('StoreUnavailable', `Cannot take over ${this.placeOf(name)}: another server writes it`)
  }

  private ownedSince(name: string, { text, tag: first }: Found, owner: string): OwnDocument {
    let tag = first
    let writes = 0
    return {
      read: async () => text,
      write: async (content) => {
        const storedBy = `${owner} ${++writes}`
        for (let tries = 1; tries <= documentLimits.changeTriesMax; tries++) {
          const outcome = await this.put(name, content, storedBy, tag)
          if (outcome.isOurs) {
            tag = outcome.tag
            return
          }
          // An earlier write of this server may have arrived although no answer came.
          if (outcome.found !== undefined && !storedByOf(outcome.found)?.startsWith(`${owner} `)) {
            this.onReplaced()
            break
          }
          tag = outcome.found?.tag
        }
        throw new DomainError('StoreUnavailable', 'Cannot store the change: another server has taken over')
      },
    }
  }

  private async read(name: string): Promise<Found> {
    const before = this.known.get(name)
    const found = await unavailableIfFailed(() => findObject(this.store, name))
    this.learn(name, before, found?.tag)
    if (found === undefined) return { text: undefined, tag: undefined }
    const text = new TextDecoder().decode(found.bytes)
    const content = contentOf(text)
    const isEmpty = content !== undefined && Object.keys(content).every((member) => member === storedByMember)
    return { text: isEmpty ? undefined : text, tag: found.tag }
  }

  private async put(
    name: string,
    content: DocumentContent,
    storedBy: string,
    tag: string | undefined,
  ): Promise<PutOutcome> {
    const bytes = new TextEncoder().encode(documentText({ ...content, [storedByMember]: storedBy }))
    const when = tag === undefined ? { ifAbsent: true as const } : { ifMatch: tag }
    const outcome = await unavailableIfFailed(() => putOwn(this.store, name, bytes, { when }))
    this.know(name, outcome.isOurs ? outcome.tag : outcome.found?.tag)
    return outcome
  }

  private know(name: string, version: string | undefined): void {
    this.known.set(name, { version, sinceMs: this.nowMs() })
  }

  /** Notes what the store has said, unless this object has written the document meanwhile. */
  private learn(name: string, before: Known | undefined, version: string | undefined): void {
    if (this.known.get(name)?.version === before?.version) this.know(name, version)
  }

  /** Sends a request of its own: one on its way may have missed a change. */
  private async askLater(name: string): Promise<string | undefined> {
    const waitMs = (this.askedMs.get(name) ?? Number.NEGATIVE_INFINITY) + documentLimits.newestEveryMs - this.nowMs()
    await delay(Math.max(0, waitMs))
    for (let asked = this.asking.get(name); asked !== undefined; asked = this.asking.get(name))
      await asked.catch(() => {})
    this.askingLater.delete(name)
    this.askedMs.set(name, this.nowMs())
    return await this.ask(name)
  }

  private ask(name: string): Promise<string | undefined> {
    const already = this.asking.get(name)
    if (already !== undefined) return already
    const before = this.known.get(name)
    const asking = unavailableIfFailed(() => this.store.head(name))
      .then((found) => {
        this.learn(name, before, found?.tag)
        return this.known.get(name)?.version
      })
      .finally(() => this.asking.delete(name))
    this.asking.set(name, asking)
    return asking
  }
}

const storedByMember = 'stored_by'

const isTrue = () => true
const isFalse = () => false

/** Whether the store answers, and does so soon. */
async function isSoon(answer: Promise<unknown>): Promise<boolean> {
  const waiting = new AbortController()
  const isLate = delay(documentLimits.askedForMs, waiting.signal).then(isFalse)
  const isAnswered = await Promise.race([answer.then(isTrue, isFalse), isLate])
  waiting.abort()
  return isAnswered
}

/** The content of a document; undefined if it is damaged. */
function contentOf(text: string): DocumentContent | undefined {
  try {
    const content: unknown = JSON.parse(text)
    return isJsonObject(content) ? content : undefined
  } catch {
    return undefined
  }
}

function storedByOf({ bytes }: StoredObject): string | undefined {
  const storedBy = memberOf(contentOf(new TextDecoder().decode(bytes)), storedByMember)
  return typeof storedBy === 'string' ? storedBy : undefined
}
