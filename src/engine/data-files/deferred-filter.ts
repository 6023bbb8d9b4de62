import { forEachConcurrent } from '../../lib/concurrency.ts'
import { lakeLimits } from '../../lib/limits/objects.ts'
import { refuseToWait } from '../../runtime/platform/without-waiting.ts'
import { BloomFilter, type Hashing, type ValueHash } from '../keys/bloom-filter.ts'
import type { LastUsed } from '../last-used.ts'
import type { FilterInMemory } from '../stored-files.ts'

/**
 * The Bloom filter of a data file that is read when it is needed, and may be forgotten again. Until
 * it is loaded, everything may be in the file.
 */
export class DeferredFilter {
  /** Of the index that has it. */
  readonly path: string
  private readonly memory: LastUsed<FilterInMemory>
  private readonly read: () => Promise<BloomFilter | undefined>
  private loading: Promise<void> | undefined

  /** @param path of the index, the key in `memory` */
  constructor(path: string, memory: LastUsed<FilterInMemory>, read: () => Promise<BloomFilter | undefined>) {
    this.path = path
    this.memory = memory
    this.read = read
  }

  get isLoaded(): boolean {
    return this.memory.has(this.path)
  }

  get hashing(): Hashing {
    return this.memory.get(this.path)?.hashing ?? 'xxh64'
  }

  mayContain(hash: ValueHash): boolean {
    return this.memory.get(this.path)?.mayContain(hash) ?? true
  }

  /** @throws DomainError StoreUnavailable; NotAtHand if that may not be waited for */
  async load(): Promise<void> {
    if (this.isLoaded) return
    refuseToWait()
    this.loading ??= this.read()
      .then((filter) => this.memory.set(this.path, filter ?? BloomFilter.matchAll()))
      .finally(() => {
        this.loading = undefined
      })
    await this.loading
  }
}

interface Filtered {
  readonly filter: { readonly own: BloomFilter | DeferredFilter | undefined }
}

/** Those filters of data files that are not loaded. */
export const unloadedFilters = (dataFiles: readonly Filtered[]): DeferredFilter[] =>
  dataFiles.flatMap(({ filter: { own } }) => (own instanceof DeferredFilter && !own.isLoaded ? [own] : []))

/**
 * Loads filters that are not. One that cannot be read rules out nothing. Callers hold locks, so it
 * ends once the store has been away for as long as one read of it may take.
 */
export async function loadFilters(dataFiles: readonly Filtered[]): Promise<void> {
  const patientUntilMs = performance.now() + lakeLimits.partMsMax
  let hasFailed = false
  await forEachConcurrent(unloadedFilters(dataFiles), lakeLimits.filtersLoadedAtOnce, async (filter) => {
    if (hasFailed && performance.now() >= patientUntilMs) return
    await filter.load().catch(() => {
      hasFailed = true
    })
  })
}
