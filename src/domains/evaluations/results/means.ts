import type { LeafFigures } from './leaf-figures.ts'

/**
 * Means of numbers (booleans as 0 and 1) by path: `{accuracy: {mean: 0.5}, judge: {fluency: {mean:
 * 4}}}`.
 */
export function nestedMeans(figures: readonly LeafFigures[]): Record<string, unknown> {
  const root = new Map<string, MeanNode>()
  for (const { path, numberCount, numberSum, trueCount, truthCount } of figures) {
    const count = numberCount + truthCount
    if (count === 0) continue
    const node = path.reduce((at, key) => memberOf(at, key), { members: root } as MeanNode)
    node.mean = (numberSum + trueCount) / count
  }
  return plain(root)
}

interface MeanNode {
  mean?: number
  readonly members: Map<string, MeanNode>
}

function memberOf({ members }: MeanNode, key: string): MeanNode {
  const known = members.get(key) ?? { members: new Map() }
  members.set(key, known)
  return known
}

const plain = (members: ReadonlyMap<string, MeanNode>): Record<string, unknown> =>
  Object.fromEntries(
    [...members].map(([key, { mean, members: inner }]) => [
      key,
      { ...(mean !== undefined && { mean }), ...plain(inner) },
    ]),
  )
