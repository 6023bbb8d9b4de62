import { type Static, Type } from '@sinclair/typebox'
import { requestLimits } from '../../lib/limits/requests.ts'
import type { Documents } from '../../runtime/documents/documents.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { DamagedDocument, DocumentFormat, type OwnRecords } from './document-format.ts'

const UsesFile = Type.Object({
  version: Type.Literal(1),
  /** ISO 8601, UTC, by id of the key. */
  last_used_at: Type.Record(Type.String(), Type.String()),
})
type UsesFile = Static<typeof UsesFile>
const usesFormat = new DocumentFormat('key-uses.json', 'file of key uses', UsesFile)

/**
 * When each API key was used last. Requests only set a number; the file follows in the background,
 * at most once a minute and when the server stops. A crash loses the uses of that time. See
 * docs/decisions/122-last-use-of-keys.md.
 */
export class KeyUses {
  private readonly file: OwnRecords<UsesFile>
  private readonly clock: Clock
  private readonly log: Log
  private readonly lastMs: Map<string, number>
  private writtenMs = Number.NEGATIVE_INFINITY
  private isChanged = false
  private writing: Promise<void> | undefined

  private constructor(
    file: OwnRecords<UsesFile>,
    { clock, log }: { clock: Clock; log: Log },
    lastMs: Map<string, number>,
  ) {
    this.file = file
    this.clock = clock
    this.log = log
    this.lastMs = lastMs
  }

  /** Reads the uses; a file that cannot be read is replaced. */
  static async open(options: { documents: Documents; clock: Clock; log: Log }): Promise<KeyUses> {
    const { documents } = options
    const file = await usesFormat.own(documents)
    const found = await file
      .read()
      .then((uses) => usesIn(uses, documents))
      .catch((error: unknown) => {
        options.log.warn({ error }, 'The last uses of API keys are unknown: their file cannot be read')
        return new Map<string, string>()
      })
    return new KeyUses(file, options, new Map([...found].map(([id, at]) => [id, Date.parse(at)])))
  }

  /** Notes that a key is used now. */
  note(id: string): void {
    const nowMs = this.clock.nowMs()
    this.lastMs.set(id, nowMs)
    this.isChanged = true
    // A clock that was set back must not stop the writes until it catches up.
    if (this.writing === undefined && Math.abs(nowMs - this.writtenMs) >= requestLimits.keyUsesWriteMs)
      this.write(nowMs)
  }

  /** Time of the last use (ISO 8601, UTC); null if none is known. */
  lastUsedAt(id: string): string | null {
    const ms = this.lastMs.get(id)
    return ms === undefined ? null : isoTime(ms)
  }

  /** Writes what the file does not hold yet. */
  async close(): Promise<void> {
    await this.writing
    if (this.isChanged) this.write(this.clock.nowMs())
    await this.writing
  }

  private write(nowMs: number): void {
    this.isChanged = false
    this.writtenMs = nowMs
    const last_used_at = Object.fromEntries([...this.lastMs].map(([id, ms]) => [id, isoTime(ms)]))
    this.writing = this.file
      .write({ version: 1, last_used_at })
      .catch((error: unknown) => this.log.warn({ error }, 'The last uses of API keys could not be written'))
      .finally(() => {
        this.writing = undefined
      })
  }
}

const isoTime = (ms: number): string => new Date(ms).toISOString()

/** The last uses by id of the key. @throws DamagedDocument */
export const readKeyUses = async (documents: Documents): Promise<ReadonlyMap<string, string>> =>
  usesIn(await usesFormat.read(documents), documents)

function usesIn(file: UsesFile | undefined, documents: Documents): ReadonlyMap<string, string> {
  const uses = Object.entries(file?.last_used_at ?? {})
  if (uses.some(([, at]) => Number.isNaN(Date.parse(at))))
    throw new DamagedDocument(`Invalid file of key uses "${documents.placeOf(usesFormat.name)}": not a time`)
  return new Map(uses)
}
