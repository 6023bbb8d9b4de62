import type { StoreParts } from './store-parts.ts'

/** Whether a store accepts writes, and if not, why. */
export type StoreState = { ok: true; damagedFiles?: number } | { ok: false; reason: string }

export function storeState({ lock, space, tables }: StoreParts, isClosing: boolean): StoreState {
  if (lock.lost !== undefined) return { ok: false, reason: lock.lost }
  if (isClosing) return { ok: false, reason: 'the server is shutting down' }
  for (const [name, table] of tables) {
    if (table.failure !== undefined) return { ok: false, reason: `${name}: ${table.failure}` }
  }
  if (space.shortage !== undefined) return { ok: false, reason: `${space.shortage}; writes are refused` }
  const damagedFiles = [...tables.values()].reduce((sum, table) => sum + table.damagedFiles, 0)
  return damagedFiles === 0 ? { ok: true } : { ok: true, damagedFiles }
}
