const userInterface = 'src/web/'
/** A few lines that nearly every view uses. */
const usedByAll = 'src/lib/present.ts'

/** What a build says about its chunks. */
export interface Chunk {
  readonly bytes: number
  readonly entryPoint?: string
  readonly inputs: Readonly<Record<string, unknown>>
  readonly imports: readonly { readonly path: string; readonly kind: string }[]
}

/**
 * The modules in small chunks that several views share, by their paths in the build's metafile. The
 * bundler makes a chunk for every combination of views that share something: dozens of files of a
 * few hundred bytes, and as many requests before a view can be shown. The entry loads such modules
 * for all views; what needs a large chunk stays apart with it, and so does what needs functions of
 * the server, which only some views do, what only the parts of one view share, and what only a few
 * views use.
 */
export function findSharedModules(
  chunks: Readonly<Record<string, Chunk>>,
  { entry, chunkBytesMax, usersMin = 0 }: { entry: string; chunkBytesMax: number; usersMin?: number },
): string[] {
  const known = new Map<string, boolean>()
  /** The folder that all chunks which import a chunk begin in; undefined if there are several. */
  const folderOfUsers = (name: string): string | undefined => {
    const users = Object.values(chunks).filter(({ imports }) => imports.some(({ path }) => path === name))
    const folders = new Set(users.map(({ entryPoint }) => entryPoint?.replace(/[^/]*$/, '')))
    return users.length > 1 && folders.size === 1 ? [...folders][0] : undefined
  }
  const users = usersOf(chunks)
  const joins = (name: string): boolean => {
    const earlier = known.get(name)
    if (earlier !== undefined) return earlier
    // Chunks that import each other join together, unless something else keeps one apart.
    known.set(name, true)
    const { bytes, entryPoint, imports, inputs } = chunks[name]!
    const needed = imports.filter(({ path, kind }) => kind !== 'dynamic-import' && path in chunks)
    // Any other entry point is a view, which is loaded when it is opened.
    const isOfOneView = entryPoint === undefined && folderOfUsers(name) !== undefined
    const mayJoin =
      entryPoint === undefined
        ? bytes <= chunkBytesMax && !isOfOneView && (users.get(name) ?? 0) >= usersMin
        : entryPoint === entry
    const isOfServer = Object.keys(inputs).some(
      (input) => input.startsWith('src/') && !input.startsWith(userInterface) && input !== usedByAll,
    )
    const verdict = mayJoin && !isOfServer && needed.every(({ path }) => joins(path))
    known.set(name, verdict)
    return verdict
  }
  return Object.entries(chunks)
    .filter(([name, { entryPoint }]) => name.endsWith('.js') && entryPoint === undefined && joins(name))
    .flatMap(([, { inputs }]) => Object.keys(inputs))
}

/** In how many folders something is loaded that needs a chunk before it can be shown. */
function usersOf(chunks: Readonly<Record<string, Chunk>>): ReadonlyMap<string, number> {
  const folders = new Map<string, Set<string>>()
  for (const [name, { entryPoint }] of Object.entries(chunks)) {
    if (entryPoint === undefined) continue
    const folder = entryPoint.replace(/[^/]*$/, '')
    const needed = new Set([name])
    for (const each of needed)
      for (const { path, kind } of chunks[each]?.imports ?? []) if (kind !== 'dynamic-import') needed.add(path)
    for (const each of needed) folders.set(each, (folders.get(each) ?? new Set()).add(folder))
  }
  return new Map([...folders].map(([name, of]) => [name, of.size]))
}
