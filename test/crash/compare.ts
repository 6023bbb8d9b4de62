import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../conformance/support/client.ts'
import { Project } from '../conformance/support/project.ts'
import { type View, viewOfRecord } from './ledger.ts'
import type { Workload } from './workload.ts'

/**
 * Compares the server's responses for one workload's project with the ledger.
 *
 * @returns the differences, one per line
 */
export async function differences(client: Client, workload: Workload): Promise<string[]> {
  const { ledger, unanswered } = workload
  const [entity, name] = ledger.projectId.split('/') as [string, string]
  const project = new Project(client, entity, name)
  const records = await project.query()
  const found: string[] = []
  const shown = new Map<string, View>()
  for (const record of records) {
    if (shown.has(record.id)) found.push(`${record.id} is answered twice`)
    shown.set(record.id, viewOfRecord(record))
  }
  const { count } = await project.stats()
  if (count !== records.length) found.push(`${records.length} calls are answered and ${count} counted`)

  const done = unanswered === undefined ? new Map<string, View>() : ledger.viewsAfter(unanswered)
  for (const id of new Set([...ledger.ids, ...shown.keys()])) {
    if (!done.has(id)) compareViews(id, shown.get(id) ?? null, ledger.view(id), found)
  }
  const asBefore = [...done.keys()].every((id) => isDeepStrictEqual(shown.get(id) ?? null, ledger.view(id)))
  const asAfter = [...done].every(([id, view]) => isDeepStrictEqual(shown.get(id) ?? null, view))
  if (!asBefore && !asAfter) found.push(`the unanswered ${unanswered?.path} happened in part: ${[...done.keys()]}`)
  return found
}

function compareViews(id: string, actual: View, expected: View, found: string[]): void {
  if (isDeepStrictEqual(actual, expected)) return
  if (actual === null) found.push(`${id} is lost`)
  else if (expected === null) found.push(`${id} shows and should not`)
  else {
    for (const [member, value] of Object.entries(expected)) {
      if (isDeepStrictEqual(actual[member], value)) continue
      found.push(`${id}.${member} is ${excerpt(actual[member])} and should be ${excerpt(value)}`)
    }
  }
}

const excerpt = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 120)
