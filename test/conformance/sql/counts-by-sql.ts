import { expect } from 'bun:test'
import { asSql } from '../../../src/web/sql/as-sql.ts'
import type { Project } from '../support/project.ts'

type Selection = Omit<Parameters<typeof asSql>[0], 'projectId'>

/** A statement has a limited time and length: on a slow machine few counts take several seconds. */
const countsAtOnce = 8

/** How many rows each selection has according to the statement for it. */
export async function countsBySql({ client, id }: Project, selections: readonly Selection[]): Promise<number[]> {
  const found: number[] = []
  for (let from = 0; from < selections.length; from += countsAtOnce) {
    const some = selections.slice(from, from + countsAtOnce)
    const counts = some.map((each) => `(select count(*) from (${asSql({ projectId: id, ...each })}))`)
    const { json, text } = await client.post<{ rows: number[][] }>('/sql', {
      statement: `select ${counts.join(',\n')}`,
    })
    expect(text).toStartWith('{"columns"')
    found.push(...(json.rows[0] ?? []))
  }
  return found
}
