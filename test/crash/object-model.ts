import { rowDigest } from '../conformance/support/tables.ts'

/** An operation on the versions of one object. Contents are `{ n }`. */
export type ObjectOperation =
  | { readonly does: 'create' | 'delete'; readonly n: number }
  | { readonly does: 'alias' | 'unalias' | 'tag' | 'untag'; readonly n: number; readonly name: string }

export const digestOf = (n: number): string => rowDigest({ n })

/** The visible state of one version. */
export interface VersionView {
  readonly digest: string
  readonly version_index: number
  readonly is_latest: number
  readonly tags: readonly string[]
  readonly aliases: readonly string[]
}

/** The expected state of one object after everything that the server acknowledged. */
export interface ObjectModel {
  /** Contents in order of first appearance; the index is their number. */
  readonly seen: readonly number[]
  /** In order of creation: what was deleted and created again is new, under its old number. */
  readonly live: readonly number[]
  readonly lastMade: number | undefined
  readonly aliases: Readonly<Record<string, number>>
  readonly tags: Readonly<Record<number, readonly string[]>>
}

export const emptyModel: ObjectModel = { seen: [], live: [], lastMade: undefined, aliases: {}, tags: {} }

export function after(model: ObjectModel, operation: ObjectOperation): ObjectModel {
  const { n } = operation
  const tags = model.tags[n] ?? []
  switch (operation.does) {
    case 'create':
      return {
        ...model,
        seen: model.seen.includes(n) ? model.seen : [...model.seen, n],
        live: model.live.includes(n) ? model.live : [...model.live, n],
        lastMade: n,
      }
    case 'delete':
      return { ...withoutLabels(model, n), live: model.live.filter((other) => other !== n) }
    case 'alias':
      return { ...model, aliases: { ...model.aliases, [operation.name]: n } }
    case 'unalias': {
      const { [operation.name]: _gone, ...aliases } = model.aliases
      return { ...model, aliases }
    }
    case 'tag':
      return { ...model, tags: { ...model.tags, [n]: [...new Set([...tags, operation.name])] } }
    case 'untag':
      return { ...model, tags: { ...model.tags, [n]: tags.filter((tag) => tag !== operation.name) } }
  }
}

/** The first half of a deletion: labels are deleted before their versions. */
export function withoutLabels(model: ObjectModel, n: number): ObjectModel {
  const aliases = Object.fromEntries(Object.entries(model.aliases).filter(([, target]) => target !== n))
  return { ...model, aliases, tags: { ...model.tags, [n]: [] } }
}

/** The visible versions by number. */
export function viewsOf({ seen, live, lastMade, aliases, tags }: ObjectModel): VersionView[] {
  const isLive = (n: number) => live.includes(n)
  const latest = lastMade !== undefined && isLive(lastMade) ? lastMade : live.at(-1)
  return seen.flatMap((n, index): VersionView[] => {
    if (!isLive(n)) return []
    const own = Object.entries(aliases).flatMap(([name, target]) => (target === n ? [name] : []))
    return [
      {
        digest: digestOf(n),
        version_index: index,
        is_latest: n === latest ? 1 : 0,
        tags: [...(tags[n] ?? [])].sort(),
        aliases: [...(n === latest ? ['latest'] : []), ...own.sort()],
      },
    ]
  })
}
