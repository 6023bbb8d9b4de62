import type { Action } from '../../../src/engine/delta/actions.ts'
import { commitText } from '../../../src/engine/delta/commit-file.ts'
import { DeltaState } from '../../../src/engine/delta/delta-state.ts'
import { borderAction, replayBorder } from '../../../src/engine/lake/replay-border.ts'
import type { ObjectStore } from '../../../src/runtime/objects/object-store.ts'
import { putOwn } from '../../../src/runtime/objects/put-own.ts'

/** What a flush does wrong on purpose. */
export type FlushMutation = 'border before the rows' | undefined

const folder = 'table/_delta_log'
const commitOf = (version: number): string => `${folder}/${String(version).padStart(20, '0')}.json`

/**
 * A Delta table of values as objects, with real commits. A file is its commit: the values are in a
 * tag of it.
 */
export class SimulatedTable {
  private readonly store: ObjectStore
  private readonly newNonce: () => string
  private readonly mutation: FlushMutation

  constructor(store: ObjectStore, newNonce: () => string, mutation: FlushMutation) {
    this.store = store
    this.newNonce = newNonce
    this.mutation = mutation
  }

  async border(): Promise<number> {
    return replayBorder([await this.state()])
  }

  async values(): Promise<string[]> {
    return valuesOf(await this.state())
  }

  /**
   * Commits values with the border, again and again until it is the next commit. Values that the
   * table has already are left out, as a flush replaces rows of the same key.
   */
  async flush(values: readonly string[], border: number): Promise<void> {
    const move = borderAction(border, 0)
    if (this.mutation === undefined) return await this.commit(values, border, (files) => [...files, move])
    await this.commit(values, border, () => [move])
    await this.commit(values, border + 1, (files) => files)
  }

  private async commit(
    values: readonly string[],
    border: number,
    actionsOf: (files: Action[]) => Action[],
  ): Promise<void> {
    for (;;) {
      const state = await this.state()
      if (replayBorder([state]) >= border) return
      const known = new Set(valuesOf(state))
      const fresh = values.filter((value) => !known.has(value))
      const nonce = this.newNonce()
      const file = { path: nonce, partitionValues: {}, size: 1, modificationTime: 0, dataChange: true }
      const files: Action[] = fresh.length === 0 ? [] : [{ add: { ...file, tags: { values: fresh.join() } } }]
      const actions: Action[] = [...actionsOf(files), { commitInfo: { timestamp: 0, operation: nonce } } as Action]
      const bytes = new TextEncoder().encode(commitText(actions))
      if ((await putOwn(this.store, commitOf(state.version + 1), bytes, { when: { ifAbsent: true } })).isOurs) return
    }
  }

  private async state(): Promise<DeltaState> {
    const state = new DeltaState()
    for await (const { name } of this.store.list(`${folder}/`)) {
      const { bytes } = await this.store.get(name)
      const lines = new TextDecoder().decode(bytes).trim().split('\n')
      state.apply(lines.map((line) => JSON.parse(line) as Action))
    }
    return state
  }
}

const valuesOf = (state: DeltaState): string[] =>
  state.files.flatMap(({ add }) => add.tags?.['values']?.split(',') ?? [])
