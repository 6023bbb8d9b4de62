import { DomainError } from '../../lib/errors.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { present } from '../../lib/present.ts'
import { isScope } from '../../lib/project-id.ts'
import type { Documents } from '../../runtime/documents/documents.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { Role } from './caller.ts'
import { hashKey, type KeyRecord, keyFormat, newKeyText } from './key-file.ts'

/** Attributes of a key to be created. */
interface NewKey {
  /** Name of the user, shown as `ext_username`; 1–128 characters. Need not be unique. */
  readonly name: string
  readonly role: Role
  /** `*`, `entity` or `entity/project`. */
  readonly scope: string
}

/** A request for a key, unchecked. */
interface RequestedKey {
  readonly name: string
  readonly role: string
  readonly scope: string
  /** When it stops working (milliseconds); undefined: never. */
  readonly expiresMs?: number | undefined
}

/** A key as created: its text is not stored. */
interface MadeKey {
  record: KeyRecord
  text: string
}

const roles: readonly Role[] = ['read', 'write', 'admin']
const nameForm = /^[^\p{Cc}\p{Cs}]{1,128}$/u

/**
 * Validates untrusted input.
 *
 * @throws DomainError InvalidRequest naming the invalid part and what is allowed
 */
function checkNewKey(requested: RequestedKey): NewKey {
  const name = requested.name.trim()
  if (!nameForm.test(name)) refuse(`Invalid name ${JSON.stringify(requested.name)}: use 1 to 128 printable characters`)
  const role = roles.find((known) => known === requested.role)
  if (role === undefined) refuse(`Invalid role "${requested.role}": use one of ${roles.join(', ')}`)
  if (!isScope(requested.scope))
    refuse(`Invalid scope "${requested.scope}": use "*", "<entity>" or "<entity>/<project>"`)
  return { name, role, scope: requested.scope }
}

function refuse(why: string): never {
  throw new DomainError('InvalidRequest', why)
}

const notFound = (id: string) => new DomainError('NotFound', `There is no API key with id "${id}"`)

const isoTime = (ms: number): string => new Date(ms).toISOString()

/** Whether a key works: it has neither been revoked nor expired. */
export const isValidKey = ({ revoked_at, expires_at }: KeyRecord, nowMs: number): boolean =>
  revoked_at === null && (expires_at === undefined || Date.parse(expires_at) > nowMs)

/** The API keys, in `keys.json`. Safe for concurrent processes. */
export class KeyRing {
  private readonly documents: Documents
  private readonly clock: Clock

  constructor(documents: Documents, clock: Clock) {
    this.documents = documents
    this.clock = clock
  }

  /** Changes whenever the keys change; undefined if there are none yet. */
  version(): Promise<string | undefined> {
    return this.documents.version(keyFormat.name)
  }

  /** The same, including changes that others have just made. */
  newestVersion(): Promise<string | undefined> {
    return this.documents.newestVersion(keyFormat.name)
  }

  /** All keys ever created, oldest first. @throws Error if the file is damaged */
  async list(): Promise<readonly KeyRecord[]> {
    return (await keyFormat.read(this.documents))?.keys ?? []
  }

  /**
   * Creates a key. Its `text` is available only in this result.
   *
   * @throws DomainError InvalidRequest for an invalid name, role, scope or time
   */
  async create(requested: RequestedKey): Promise<MadeKey> {
    let made = this.make(requested)
    await this.add(
      () => made,
      (keys) => {
        made = this.makeBeside(keys, requested)
        return [...keys, made.record]
      },
    )
    return made
  }

  /**
   * Creates a key with the name, role and scope of another, which expires after `overlapMs`. The
   * new key expires at `expiresMs`, else after as long as the old one was made for. See
   * docs/decisions/258-expiry-and-rotation-of-keys.md.
   *
   * @throws DomainError NotFound; InvalidRequest for a key that does not work any more
   */
  async rotate(
    id: string,
    { overlapMs, expiresMs }: { readonly overlapMs: number; readonly expiresMs?: number | undefined },
  ): Promise<MadeKey & { replaced: KeyRecord }> {
    let rotated: (MadeKey & { replaced: KeyRecord }) | undefined
    const edit = (keys: readonly KeyRecord[]) => {
      const nowMs = this.clock.nowMs()
      const old = keys.find((key) => key.id === id)
      if (old === undefined) throw notFound(id)
      if (!isValidKey(old, nowMs))
        refuse(`Rotate key "${id}": it has been revoked, or has expired; create a new key instead`)
      const { name, role, scope, created_at, expires_at } = old
      const lifeMs = expires_at === undefined ? undefined : Date.parse(expires_at) - Date.parse(created_at)
      const made = this.makeBeside(keys, {
        name,
        role,
        scope,
        expiresMs: expiresMs ?? (lifeMs === undefined ? undefined : nowMs + lifeMs),
      })
      const endMs = Math.min(nowMs + overlapMs, expires_at === undefined ? Infinity : Date.parse(expires_at))
      const replaced = { ...old, expires_at: isoTime(endMs), replaced_by: made.record.id }
      rotated = { ...made, replaced }
      return [...keys.map((key) => (key === old ? replaced : key)), made.record]
    }
    await this.add(() => rotated, edit)
    return present(rotated, `The key that replaces ${id}`)
  }

  /**
   * Creates the first admin key where there is no key file and returns its text; undefined if
   * there is a file.
   */
  async createFirst(): Promise<string | undefined> {
    if ((await this.version()) !== undefined) return undefined
    const made = this.make({ name: 'admin', role: 'admin', scope: '*' })
    let isFirst = false
    await this.change((keys, isNew) => {
      isFirst = isNew
      return isNew ? [made.record] : keys
    })
    return isFirst ? made.text : undefined
  }

  /** Revokes a key; it stays listed. Idempotent. @throws DomainError NotFound */
  async revoke(id: string): Promise<KeyRecord> {
    const known = (await this.list()).some((key) => key.id === id)
    if (!known) throw notFound(id)
    const revokedAt = this.now()
    const after = await this.change((keys) =>
      keys.map((key) => (key.id === id ? { ...key, revoked_at: key.revoked_at ?? revokedAt } : key)),
    )
    return present(
      after.find((key) => key.id === id),
      `The API key ${id}`,
    )
  }

  /** Ids are 32 random bits: a collision is rare, but it would lock one of the two keys out. */
  private makeBeside(keys: readonly KeyRecord[], requested: RequestedKey): MadeKey {
    if (keys.length >= requestLimits.apiKeysMax)
      refuse(`There are already ${requestLimits.apiKeysMax} API keys, the maximum`)
    for (;;) {
      const made = this.make(requested)
      if (!keys.some((key) => key.id === made.record.id)) return made
    }
  }

  private make(requested: RequestedKey): MadeKey {
    const text = newKeyText()
    const { expiresMs } = requested
    if (expiresMs !== undefined && !(expiresMs > this.clock.nowMs()))
      refuse(`Invalid expiry ${isoTime(expiresMs)}: it is not in the future`)
    const expiry = expiresMs === undefined ? {} : { expires_at: isoTime(expiresMs) }
    const record = { ...checkNewKey(requested), ...hashKey(text), created_at: this.now(), revoked_at: null, ...expiry }
    return { text, record: { id: text.slice(0, 8), ...record } }
  }

  private now(): string {
    return isoTime(this.clock.nowMs())
  }

  /**
   * Adds a key. The answer to a change may be lost; then the key is there, and its text is not
   * known to anyone.
   */
  private async add(
    made: () => MadeKey | undefined,
    edit: (keys: readonly KeyRecord[]) => readonly KeyRecord[],
  ): Promise<void> {
    try {
      await this.change(edit)
    } catch (cause) {
      const id = made()?.record.id
      if (id === undefined || !(cause instanceof DomainError) || cause.type !== 'StoreUnavailable') throw cause
      const why = `${cause.message}. If the key "${id}" is listed afterwards, revoke it: its text was not shown`
      throw new DomainError('StoreUnavailable', why, { cause })
    }
  }

  private async change(
    edit: (keys: readonly KeyRecord[], isNew: boolean) => readonly KeyRecord[],
  ): Promise<readonly KeyRecord[]> {
    let after: readonly KeyRecord[] = []
    await this.documents.change(keyFormat.name, (text) => {
      const before = keyFormat.contentOf(text, this.documents)?.keys
      after = edit(before ?? [], before === undefined)
      return { version: 1, keys: after }
    })
    return after
  }
}
