import { Type } from '@sinclair/typebox'
import { requestLimits } from '../../lib/limits/requests.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import { DamagedFile, PrivateFile } from './private-file.ts'

/** The file in a data folder that holds when its API keys were used last. */
const keyUsesFileName = 'key-uses.json'

const formatVersion = 1
const usesFile = new PrivateFile(
  'file of key uses',
  Type.Object({
    version: Type.Literal(formatVersion),
    /** ISO 8601, UTC, by id of the key. */
    last_used_at: Type.Record(Type.String(), Type.String()),
  }),
)

/**
 * When each API key was used last. Requests only set a number; the file follows in the background,
 * at most once a minute and when the server stops. A crash loses the uses of that time. See
 * docs/decisions/122-last-use-of-keys.md.
 */
export class KeyUses {
  private readonly file: string
  private readonly clock: Clock
  private readonly log: Log
  private readonly lastMs: Map<string, number>
  private writtenMs = Number.NEGATIVE_INFINITY
  private isChanged = false
  private writing: Promise<void> | undefined

  private constructor(file: string, { clock, log }: { clock: Clock; log: Log }, lastMs: Map<string, number>) {
    this.file = file
    this.clock = clock
    this.log = log
    this.lastMs = lastMs
  }

  /** Reads the uses of a data folder; a file that cannot be read is replaced. */
  static async open(options: { dataFolder: string; clock: Clock; log: Log }): Promise<KeyUses> {
    const file = joinPath(options.dataFolder, keyUsesFileName)
    const found = await readKeyUses(options.dataFolder).catch((error: unknown) => {
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
    this.writing = usesFile
      .write(this.file, { version: formatVersion, last_used_at })
      .catch((error: unknown) => this.log.warn({ error }, 'The last uses of API keys could not be written'))
      .finally(() => {
        this.writing = undefined
      })
  }
}

const isoTime = (ms: number): string => new Date(ms).toISOString()

/** The last uses in a data folder by id of the key. @throws DamagedFile */
export async function readKeyUses(dataFolder: string): Promise<ReadonlyMap<string, string>> {
  const file = joinPath(dataFolder, keyUsesFileName)
  const uses = Object.entries((await usesFile.read(file))?.last_used_at ?? {})
  if (uses.some(([, at]) => Number.isNaN(Date.parse(at))))
    throw new DamagedFile(`Invalid file of key uses "${file}": not a time`)
  return new Map(uses)
}
