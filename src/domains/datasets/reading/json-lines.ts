import { visit } from 'jsonc-parser'
import { isJsonObject } from '../../../lib/json-value.ts'
import { datasetLimits } from '../../../lib/limits/datasets.ts'
import { requestLimits } from '../../../lib/limits/requests.ts'
import type { Faults } from './faults.ts'
import type { TextFile } from './text-file.ts'
import { jsonOf, Refused } from './values.ts'

/** A row of JSON Lines, and its line. */
export interface ObjectRecord {
  readonly line: number
  readonly row: Readonly<Record<string, unknown>>
}

/** The objects of a JSON Lines file in batches; empty lines are skipped. */
export async function* objectsOf(file: TextFile, faults: Faults): AsyncGenerator<readonly ObjectRecord[]> {
  let line = 0
  let rest = ''
  const objects: ObjectRecord[] = []
  const take = (text: string) => {
    line++
    if (text.trim() === '') return
    const row = objectOf(text)
    if (row instanceof Refused) faults.addOfLine(line, null, text, row.reason)
    else objects.push({ line, row })
  }
  for await (const text of file.texts()) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const one of lines) take(one)
    if (rest.length > datasetLimits.recordCharsMax) {
      faults.add(line + 1, null, rest, `the line is longer than ${datasetLimits.recordCharsMax} characters`)
      return
    }
    if (objects.length > 0) yield objects.splice(0)
  }
  if (file.isWhole) take(rest)
  if (objects.length > 0) yield objects
}

function objectOf(text: string): Readonly<Record<string, unknown>> | Refused {
  // Before the value is built: parsers of JSON are recursive.
  if (depthOf(text) > requestLimits.jsonDepthMax)
    return new Refused(`it is nested deeper than ${requestLimits.jsonDepthMax} levels`)
  const value = jsonOf(text, requestLimits.jsonDepthMax)
  if (value instanceof Refused) return value
  if (!isJsonObject(value)) return new Refused('it is not a JSON object')
  const twice = repeatedKey(text, value)
  return twice === undefined ? value : new Refused(`the member "${twice.slice(0, 80)}" is there twice`)
}

/** How many brackets are open at a time, at most. */
function depthOf(text: string): number {
  let open = 0
  let most = 0
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isText) {
      if (code === 92) at++
      else if (code === 34) isText = false
    } else if (code === 34) isText = true
    else if (code === 123 || code === 91) most = Math.max(most, ++open)
    else if (code === 125 || code === 93) open--
  }
  return most
}

/** A key that an object of the text has twice. Looks closer only where members are missing. */
function repeatedKey(text: string, value: unknown): string | undefined {
  if (colonsOutside(text) === membersOf(value)) return undefined
  const open: Set<string>[] = []
  let twice: string | undefined
  visit(text, {
    onObjectBegin: () => {
      open.push(new Set())
    },
    onObjectProperty: (name) => {
      const keys = open.at(-1)
      if (keys?.has(name)) twice ??= name
      keys?.add(name)
    },
    onObjectEnd: () => {
      open.pop()
    },
  })
  return twice
}

function colonsOutside(text: string): number {
  let count = 0
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isText) {
      if (code === 92) at++
      else if (code === 34) isText = false
    } else if (code === 34) isText = true
    else if (code === 58) count++
  }
  return count
}

function membersOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + membersOf(item), 0)
  if (!isJsonObject(value)) return 0
  return Object.values(value).reduce((sum: number, member) => sum + 1 + membersOf(member), 0)
}
