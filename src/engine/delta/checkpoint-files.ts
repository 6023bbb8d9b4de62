/** One checkpoint and its files. */
export interface CheckpointFiles {
  readonly version: number
  readonly names: readonly string[]
}

const nameOf = /^(\d{20})\.checkpoint(?:\.(\d{10})\.(\d{10})|\.[0-9a-f-]{36})?\.(parquet|json)$/

/**
 * The complete checkpoints among file names, newest first: single-file ones as this store writes
 * them, multi-part ones, and those with a UUID in the name.
 */
export function findCheckpoints(names: readonly string[]): CheckpointFiles[] {
  const groups = new Map<string, { version: number; parts: number; names: string[] }>()
  for (const name of names) {
    const match = nameOf.exec(name)
    if (match === null) continue
    const [, version, , parts] = match
    const key = parts === undefined ? name : `${version} in ${parts}`
    const group = groups.get(key) ?? { version: Number(version), parts: Number(parts ?? 1), names: [] }
    group.names.push(name)
    groups.set(key, group)
  }
  return [...groups.values()]
    .filter(({ names, parts }) => names.length === parts)
    .sort((a, b) => b.version - a.version || (a.names[0]! < b.names[0]! ? -1 : 1))
}

/** The version of the checkpoint that a file belongs to; undefined for other files. */
export function checkpointVersion(fileName: string): number | undefined {
  const match = nameOf.exec(fileName)
  return match === null ? undefined : Number(match[1])
}

/** The name of a single-file checkpoint. */
export const checkpointName = (version: number): string => `${String(version).padStart(20, '0')}.checkpoint.parquet`

/** The pointer to the newest checkpoint. */
export const lastCheckpointName = '_last_checkpoint'
