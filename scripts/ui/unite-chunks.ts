import type { Chunk } from './shared-modules.ts'

interface UniteOptions {
  /** The entry point that every page loads first. */
  readonly entry: string
  /** So many bytes take a browser as long as a request does. */
  readonly requestBytes: number
  /** How often an entry point is opened, compared with others. */
  readonly weightOf: (entryPoint: string) => number
}

/**
 * The bundler makes a chunk for every combination of views that share something, so that a view
 * asks for dozens of small files. Chunks are united where the requests saved are worth more than
 * the bytes that some views then load in vain: docs/decisions/071-serving-the-web-ui.md.
 *
 * @param chunks outputs of a build by their paths
 * @returns modules that an entry point has to import in addition, by its path: the bundler puts
 *   modules into one chunk if the same entry points need them
 */
export function uniteChunks(chunks: Readonly<Record<string, Chunk>>, options: UniteOptions): Map<string, string[]> {
  const graph = new ChunkGraph(chunks, options)
  for (let best = graph.bestUnion(); best !== undefined; best = graph.bestUnion()) graph.users = best
  return graph.additions()
}

/** The entry points that load a chunk, a bit for each. */
type Users = bigint

/** Chunks that are not loaded by every page, and what loads them. */
class ChunkGraph {
  /** Users of each chunk; chunks with the same ones are one file. */
  users: ReadonlyMap<string, Users>
  private readonly first: ReadonlyMap<string, Users>
  private readonly chunks: Readonly<Record<string, Chunk>>
  private readonly options: UniteOptions
  private readonly entryPoints: readonly string[]
  private readonly weights = new Map<Users, number>()

  constructor(chunks: Readonly<Record<string, Chunk>>, options: UniteOptions) {
    this.chunks = chunks
    this.options = options
    const names = Object.keys(chunks).filter((name) => name.endsWith('.js'))
    const root = names.find((name) => chunks[name]?.entryPoint === options.entry)
    const everywhere = new Set(root === undefined ? [] : this.closureOf(root))
    const entries = names.filter((name) => chunks[name]?.entryPoint !== undefined && !everywhere.has(name))
    this.entryPoints = entries.map((name) => chunks[name]?.entryPoint ?? '')
    const users = new Map<string, Users>()
    for (const [index, entry] of entries.entries())
      for (const name of this.closureOf(entry))
        if (!everywhere.has(name)) users.set(name, (users.get(name) ?? 0n) | (1n << BigInt(index)))
    // What needs an entry point could not be imported by it without a circle.
    const needsEntry = (name: string): boolean => this.closureOf(name).some((each) => entries.includes(each))
    for (const name of [...users.keys()].filter(needsEntry)) users.delete(name)
    this.first = users
    this.users = users
  }

  /** The users after the union that saves most; undefined if none saves anything. */
  bestUnion(): ReadonlyMap<string, Users> | undefined {
    const files = [...filesOf(this.users, this.chunks)]
    const unions = files.flatMap(([one, bytes], index) =>
      files.slice(index + 1).flatMap(([other, otherBytes]) => {
        const saved = this.weightOf(one & other) * this.options.requestBytes
        const wasted = this.weightOf(one & ~other) * otherBytes + this.weightOf(other & ~one) * bytes
        return saved > wasted ? [{ one, other }] : []
      }),
    )
    let best: ReadonlyMap<string, Users> | undefined
    let least = this.costOf(this.users)
    for (const { one, other } of unions) {
      const united = this.unite(one, other)
      const cost = this.costOf(united)
      if (cost < least) [best, least] = [united, cost]
    }
    return best
  }

  /** Modules of the chunks that an entry point loads only since the unions. */
  additions(): Map<string, string[]> {
    const added = new Map<string, string[]>()
    for (const [name, users] of this.users) {
      const more = users & ~(this.first.get(name) ?? 0n)
      for (const [index, entryPoint] of this.entryPoints.entries()) {
        if ((more & (1n << BigInt(index))) === 0n) continue
        added.set(entryPoint, [...(added.get(entryPoint) ?? []), ...Object.keys(this.chunks[name]?.inputs ?? {})])
      }
    }
    return added
  }

  /** Chunks of two files become one; what they import is then loaded by all users of both. */
  private unite(one: Users, other: Users): ReadonlyMap<string, Users> {
    const united = new Map(this.users)
    for (const [name, users] of this.users)
      if (users === one || users === other)
        for (const each of this.closureOf(name)) {
          const own = united.get(each)
          if (own !== undefined) united.set(each, own | one | other)
        }
    return united
  }

  /** Bytes that all views load, where a request counts as some. */
  private costOf(users: ReadonlyMap<string, Users>): number {
    let cost = 0
    for (const [by, bytes] of filesOf(users, this.chunks))
      cost += this.weightOf(by) * (bytes + this.options.requestBytes)
    return cost
  }

  /** How often the users are opened, all together. */
  private weightOf(users: Users): number {
    const known = this.weights.get(users)
    if (known !== undefined) return known
    const weight = this.entryPoints
      .filter((_, index) => (users & (1n << BigInt(index))) !== 0n)
      .reduce((sum, entryPoint) => sum + this.options.weightOf(entryPoint), 0)
    this.weights.set(users, weight)
    return weight
  }

  private readonly closures = new Map<string, readonly string[]>()

  /** A chunk and all that it imports, without what it loads later. */
  private closureOf(name: string): readonly string[] {
    const known = this.closures.get(name)
    if (known !== undefined) return known
    const closure = new Set([name])
    for (const each of closure)
      for (const { path, kind } of this.chunks[each]?.imports ?? [])
        if (kind !== 'dynamic-import' && path in this.chunks) closure.add(path)
    this.closures.set(name, [...closure])
    return [...closure]
  }
}

/** Bytes of each file, by its users. */
function filesOf(users: ReadonlyMap<string, Users>, chunks: Readonly<Record<string, Chunk>>): Map<Users, number> {
  const files = new Map<Users, number>()
  for (const [name, by] of users) files.set(by, (files.get(by) ?? 0) + (chunks[name]?.bytes ?? 0))
  return files
}
