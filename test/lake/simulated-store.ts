import {
  assertObjectName,
  type ByteRange,
  type ObjectInfo,
  type ObjectStore,
  ObjectStoreError,
  type PutCondition,
  type StoredObject,
} from '../../src/runtime/objects/object-store.ts'

/** What a store does for one request, at one moment. */
export type StoreOperation =
  | { readonly kind: 'get'; readonly name: string; readonly range: ByteRange | undefined }
  | { readonly kind: 'head'; readonly name: string }
  | { readonly kind: 'put'; readonly name: string; readonly bytes: Uint8Array; readonly when: PutCondition | undefined }
  | { readonly kind: 'delete'; readonly name: string }
  | { readonly kind: 'list'; readonly prefix: string; readonly after: string }

/** Objects in memory. Every operation takes no time, and nothing is ever out of date. */
export class SimulatedObjects {
  readonly objects = new Map<string, StoredObject>()
  /** The time by the clock of the store; listings have no times without it. */
  nowMs: number | undefined
  private readonly times = new Map<string, number>()

  run(operation: StoreOperation): unknown {
    switch (operation.kind) {
      case 'get':
        return this.get(operation.name, operation.range)
      case 'head': {
        const found = this.objects.get(operation.name)
        return found && { name: operation.name, bytes: found.bytes.length, tag: found.tag }
      }
      case 'put':
        return this.put(operation.name, operation.bytes, operation.when)
      case 'delete':
        this.objects.delete(operation.name)
        return undefined
      case 'list':
        return this.list(operation.prefix, operation.after)
    }
  }

  private get(name: string, range: ByteRange | undefined): StoredObject {
    const found = this.objects.get(name)
    if (found === undefined) throw new ObjectStoreError('absent', `Cannot read ${name}: there is no such object`)
    if (range === undefined) return found
    return { bytes: found.bytes.slice(range.start, range.start + range.length), tag: found.tag }
  }

  private put(name: string, bytes: Uint8Array, when: PutCondition | undefined): string {
    const found = this.objects.get(name)
    const holds =
      when === undefined ||
      ('ifAbsent' in when ? found === undefined : found !== undefined && found.tag === when.ifMatch)
    if (!holds) throw new ObjectStoreError('lost-race', `Cannot write ${name}: another writer was first`)
    // Of the content, as that of S3.
    const tag = `"${Bun.hash(bytes).toString(16)}"`
    this.objects.set(name, { bytes: bytes.slice(), tag })
    if (this.nowMs !== undefined) this.times.set(name, this.nowMs)
    return tag
  }

  private list(prefix: string, after: string): ObjectInfo[] {
    return [...this.objects]
      .filter(([name]) => name.startsWith(prefix) && name > after)
      .map(([name, { bytes, tag }]) => ({ name, bytes: bytes.length, tag, modifiedMs: this.times.get(name) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }
}

/**
 * A client of simulated objects. `schedule` decides when each operation happens, and what the
 * client hears of it.
 */
export class SimulatedStore implements ObjectStore {
  readonly place = 'simulated'
  private readonly schedule: (operation: StoreOperation) => Promise<unknown>

  constructor(schedule: (operation: StoreOperation) => Promise<unknown>) {
    this.schedule = schedule
  }

  get(name: string, { range }: { range?: ByteRange | undefined } = {}): Promise<StoredObject> {
    assertObjectName(name)
    return this.schedule({ kind: 'get', name, range }) as Promise<StoredObject>
  }

  head(name: string): Promise<ObjectInfo | undefined> {
    assertObjectName(name)
    return this.schedule({ kind: 'head', name }) as Promise<ObjectInfo | undefined>
  }

  put(name: string, bytes: Uint8Array, { when }: { when?: PutCondition | undefined } = {}): Promise<string> {
    assertObjectName(name)
    return this.schedule({ kind: 'put', name, bytes, when }) as Promise<string>
  }

  async putLarge(name: string, pieces: AsyncIterable<Uint8Array>): Promise<string> {
    const all: Uint8Array[] = []
    for await (const piece of pieces) all.push(piece)
    return await this.put(name, new Uint8Array(Buffer.concat(all)))
  }

  async delete(name: string): Promise<void> {
    assertObjectName(name)
    await this.schedule({ kind: 'delete', name })
  }

  async *list(prefix: string, { after = '' }: { after?: string | undefined } = {}): AsyncGenerator<ObjectInfo> {
    yield* (await this.schedule({ kind: 'list', prefix, after })) as ObjectInfo[]
  }
}

/** A store with these objects that is always there, and does everything at once. */
export const memoryStoreOf = (objects: SimulatedObjects): ObjectStore =>
  new SimulatedStore(async (operation) => objects.run(operation))
