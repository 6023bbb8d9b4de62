import { explorationLimits } from '../../src/lib/limits/exploration.ts'
import { storageLimits } from '../../src/lib/limits/storage.ts'

const areas: readonly Record<string, number>[] = [explorationLimits, storageLimits]

/** Changes limits of exploration and storage; returns a function that sets them back. */
export function changeLimits(changed: Readonly<Record<string, number>>): () => void {
  const before = Object.entries(changed).map(([name, value]) => {
    const area = areas.find((each) => name in each)
    if (area === undefined) throw new Error(`Change the limit ${name}: there is none of that name`)
    const old = area[name]!
    area[name] = value
    return () => {
      area[name] = old
    }
  })
  return () => {
    for (const restore of before) restore()
  }
}
