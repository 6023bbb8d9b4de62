import { readText } from '../../runtime/platform/files/files.ts'
import type { Action } from './actions.ts'
import { columnsOfSchema } from './schema-string.ts'

export const commitName = (version: number): string => `${String(version).padStart(20, '0')}.json`

/** The version of a commit file; undefined for other files. */
export function commitVersion(fileName: string): number | undefined {
  const match = /^(\d{20})\.json$/.exec(fileName)
  return match === null ? undefined : Number(match[1])
}

export const commitText = (actions: readonly Action[]): string =>
  `${actions.map((action) => JSON.stringify(action)).join('\n')}\n`

/** A commit file that exists but cannot be read. */
export class DamagedCommit extends Error {
  override readonly name = 'DamagedCommit'
}

/** @throws DamagedCommit if it is empty or a line is not an action */
export async function readCommit(file: string): Promise<Action[]> {
  const lines = (await readText(file)).split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) throw new DamagedCommit(`Cannot read the Delta log: ${file} is empty`)
  return lines.map((line, index) => {
    try {
      return checked(JSON.parse(line))
    } catch (cause) {
      throw new DamagedCommit(`Cannot read the Delta log: line ${index + 1} of ${file} is not an action in JSON`, {
        cause,
      })
    }
  })
}

/** Checks what everything else relies on; other programs write commits too. @throws TypeError */
function checked(action: Action): Action {
  if ('metaData' in action) columnsOfSchema(action.metaData.schemaString)
  for (const file of ['add' in action && action.add, 'remove' in action && action.remove])
    if (file !== false && typeof file.path !== 'string') throw new TypeError('A file has no path')
  if ('add' in action && typeof action.add.modificationTime !== 'number') throw new TypeError('A file has no time')
  if ('add' in action && action.add.stats !== undefined) JSON.parse(action.add.stats)
  return action
}
