import { limits } from '../../lib/limits.ts'
import type { DataFile } from '../data-files/data-file.ts'
import type { KeyGroup } from './key-group.ts'

/**
 * A new group with the keys of `members` that replaces the groups in `replaced`. Without members
 * these are just removed.
 */
export interface GroupMerge<Group> {
  readonly members: readonly DataFile[]
  readonly replaced: readonly Group[]
}

/**
 * Ungrouped files are merged once there are enough of them, together with every group of no more
 * rows. The number of groups, and how often a key is rewritten, therefore grows with the logarithm
 * of the number of files. A group that mostly covers removed files is dissolved.
 *
 * @param isReady whether the key file of a data file is readable
 * @returns undefined if nothing is due
 */
export function selectGroupMerge<Group extends Pick<KeyGroup, 'fileNames' | 'keys'>>(
  dataFiles: readonly DataFile[],
  groups: readonly Group[],
  isReady: (dataFile: DataFile) => boolean,
): GroupMerge<Group> | undefined {
  const live = groups.map((group) => {
    const members = dataFiles.filter(({ fileName }) => group.fileNames.has(fileName))
    return { group, members, rows: rowsOf(members) }
  })
  const stale = live.filter(({ group, rows }) => rows * 2 < group.keys || rows === 0)
  const whole = live.filter((one) => !stale.includes(one))
  const covered = new Set(whole.flatMap(({ members }) => members))
  const members = dataFiles.filter((dataFile) => !covered.has(dataFile) && isReady(dataFile))
  const replaced = stale.map(({ group }) => group)
  if (members.length < limits.ungroupedFilesMax) return stale.length === 0 ? undefined : { members: [], replaced }
  let rows = rowsOf(members)
  for (const smaller of whole.toSorted((x, y) => x.rows - y.rows)) {
    if (smaller.rows > rows) break
    rows += smaller.rows
    members.push(...smaller.members.filter((dataFile) => isReady(dataFile) && !members.includes(dataFile)))
    replaced.push(smaller.group)
  }
  return { members, replaced }
}

const rowsOf = (dataFiles: readonly DataFile[]): number => dataFiles.reduce((sum, { rows }) => sum + rows, 0)
