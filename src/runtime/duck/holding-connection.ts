import { DuckDBConnection, DuckDBListValue, type DuckDBValue } from '@duckdb/node-api'

/** Files that statements name by path, and that may have to be fetched first. */
export interface FilesToHold {
  /** The folder with all of them. */
  readonly folder: string
  /**
   * Brings files, and keeps them until the result is disposed of. Other paths are ignored.
   *
   * @throws Error if the signal aborts
   */
  hold(paths: readonly string[], signal: AbortSignal): Promise<Disposable>
}

type Statement = Parameters<DuckDBConnection['run']>

/**
 * A connection that fetches the files which a statement names, and keeps them while it runs: until
 * its result has been read, or another statement begins. An interrupt also ends the wait for files.
 */
export class HoldingConnection extends DuckDBConnection {
  private readonly files: FilesToHold
  private held: Disposable | undefined
  private waiting: AbortController | undefined
  /** The statement whose files are held, if it has not begun. */
  private brought: Statement | undefined

  constructor(connection: DuckDBConnection, files: FilesToHold) {
    super(connection['connection'])
    this.files = files
  }

  /**
   * Brings the files that the next statement reads, which then does not wait for them. It is
   * recognized by its text and the same object of values.
   */
  async bring(paths: readonly string[], ...statement: Statement): Promise<void> {
    await this.holdNow(paths)
    this.brought = statement
  }

  override async run(...statement: Statement): ReturnType<DuckDBConnection['run']> {
    const held = await this.holdFilesOf(statement)
    try {
      return await super.run(...statement)
    } finally {
      held?.[Symbol.dispose]()
    }
  }

  override async stream(...statement: Parameters<DuckDBConnection['stream']>): ReturnType<DuckDBConnection['stream']> {
    const held = await this.holdFilesOf(statement)
    const result = await super.stream(...statement)
    if (held === undefined) return result
    const fetchChunk = result.fetchChunk.bind(result)
    result.fetchChunk = async () => {
      const chunk = await fetchChunk()
      if (chunk === null || chunk.rowCount === 0) held[Symbol.dispose]()
      return chunk
    }
    return result
  }

  override async start(...statement: Parameters<DuckDBConnection['start']>): ReturnType<DuckDBConnection['start']> {
    const held = await this.holdFilesOf(statement)
    const pending = await super.start(...statement)
    if (held === undefined) return pending
    const getResult = pending.getResult.bind(pending)
    pending.getResult = async () => {
      try {
        return await getResult()
      } finally {
        held[Symbol.dispose]()
      }
    }
    return pending
  }

  override interrupt(): void {
    super.interrupt()
    this.waiting?.abort()
  }

  override closeSync(): void {
    this.held?.[Symbol.dispose]()
    super.closeSync()
  }

  private async holdFilesOf([text, values]: Statement): Promise<Disposable | undefined> {
    const [broughtText, broughtValues] = this.brought ?? []
    this.brought = undefined
    if (text === broughtText && values === broughtValues) return this.held
    return await this.holdNow(pathsIn(text, values, this.files.folder))
  }

  private async holdNow(paths: readonly string[]): Promise<Disposable | undefined> {
    // Those of a result that was not read to its end.
    this.held?.[Symbol.dispose]()
    this.held = undefined
    if (paths.length === 0) return undefined
    const waiting = new AbortController()
    this.waiting = waiting
    try {
      this.held = await this.files.hold(paths, waiting.signal)
      return this.held
    } finally {
      this.waiting = undefined
    }
  }
}

const pathLiteral = /'((?:[^']|'')+?\.(?:parquet|index))'/g
const pathEnding = /\.(?:parquet|index)$/

/** Paths below a folder that a statement names, as values or literals. */
export function pathsIn(
  text: string,
  values: readonly DuckDBValue[] | Readonly<Record<string, DuckDBValue>> | undefined,
  folder: string,
): string[] {
  const found = new Set<string>()
  const add = (value: unknown) => {
    if (typeof value === 'string' && value.startsWith(folder) && pathEnding.test(value)) found.add(value)
  }
  if (text.includes(folder.replaceAll("'", "''")))
    for (const [, path = ''] of text.matchAll(pathLiteral)) add(path.replaceAll("''", "'"))
  for (const value of Object.values(values ?? {}))
    if (value instanceof DuckDBListValue) for (const item of value.items) add(item)
    else add(value)
  return [...found]
}
