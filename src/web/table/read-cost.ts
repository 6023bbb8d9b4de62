/** Name under which the browser remembers that the user wants to see what reading costs. */
export const costPreference = 'read-cost'

/** Header that asks the server for it. */
export const askForCost = { prefer: 'explain' } as const

/** Which engine searched, how long ClickHouse took, and why it was asked or was not. */
interface Searched {
  readonly engine: string
  readonly ms: number
  readonly reason: string
}

/** The amount of data that the server read, in the words of its header: `3 of 77`, `at most 12`. */
export interface ReadCost {
  readonly files: string
  readonly groups: string
  readonly bytes: string
  /** Undefined if no ClickHouse server is configured, or if there was nothing to search for. */
  readonly searched: Searched | undefined
}

/** Undefined if the server did not say. */
export function readCostOf(headers: Headers): ReadCost | undefined {
  const timing = headers.get('server-timing') ?? ''
  const [files, groups, bytes, reason] = ['files', 'groups', 'bytes', 'reason'].map(
    (item) => new RegExp(`\\b${item};desc="([^"]*)"`).exec(timing)?.[1],
  )
  if (files === undefined || groups === undefined || bytes === undefined) return undefined
  const search = /\bengine;dur=([\d.]+);desc="([^"]*)"/.exec(timing)
  const searched = search ? { engine: search[2] ?? '', ms: Number(search[1]), reason: reason ?? '' } : undefined
  return { files, groups, bytes, searched }
}
