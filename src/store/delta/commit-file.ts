import { readText } from '../../platform/files.ts'
import type { Action } from './actions.ts'

export const commitName = (version: number): string => `${String(version).padStart(20, '0')}.json`

/** Number of a commit, or undefined for a file that is none. */
export function commitVersion(fileName: string): number | undefined {
  const match = /^(\d{20})\.json$/.exec(fileName)
  return match === null ? undefined : Number(match[1])
}

export const commitText = (actions: readonly Action[]): string =>
  `${actions.map((action) => JSON.stringify(action)).join('\n')}\n`

/** @throws Error where a line is not JSON */
export async function readCommit(file: string): Promise<Action[]> {
  const lines = (await readText(file)).split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    try {
      return JSON.parse(line) as Action
    } catch (cause) {
      throw new Error(`Read the Delta log: ${file} holds a line that is not JSON`, { cause })
    }
  })
}
