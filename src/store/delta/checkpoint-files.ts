/** One checkpoint, as the files that it consists of. */
export interface CheckpointFiles {
  readonly version: number
  readonly names: readonly string[]
}

const nameOf = /^(\d{20})\.checkpoint(?:\.(\d{10})\.(\d{10})|\.[0-9a-f-]{36})?\.(parquet|json)$/

/**
 * The checkpoints among the names of files, the newest first. Besides those of one file that this store writes, there are those of
 * several parts, which count where all parts are there, and those with a UUID in the name.
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

/** Number of a checkpoint that a file is, or is a part of; undefined for a file that is none. */
export function checkpointVersion(fileName: string): number | undefined {
  const match = nameOf.exec(fileName)
  return match === null ? undefined : Number(match[1])
}

/** The name that this store gives to a checkpoint. */
export const checkpointName = (version: number): string => `${String(version).padStart(20, '0')}.checkpoint.parquet`

/** Says which checkpoint is the newest. */
export const lastCheckpointName = '_last_checkpoint'
