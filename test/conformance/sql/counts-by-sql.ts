import { expect } from 'bun:test'
import { asSql } from '../../../src/web/sql/as-sql.ts'
import type { Project } from '../support/project.ts'

type Selection = Omit<Parameters<typeof asSql>[0], 'projectId'>

/** The length of a statement is limited, too. */
const countsAtOnceMax = 8

/** How many rows each selection has according to the statement for it. */
export async function countsBySql({ client, id }: Project, selections: readonly Selection[]): Promise<number[]> {
  const found: number[] = []
  let countsAtOnce = countsAtOnceMax
  while (found.length < selections.length) {
    const some = selections.slice(found.length, found.length + countsAtOnce)
    const counts = some.map((each) => `(select count(*) from (${asSql({ projectId: id, ...each })}))`)
    const { json, status, text } = await client.post<{ rows: number[][] }>('/sql', {
      statement: `select ${counts.join(',\n')}`,
    })
    if (status === 504 && countsAtOnce > 1) {
      // On a busy machine, the time of a statement is enough for fewer.
      countsAtOnce /= 2
      continue
    }
    expect(text).toStartWith('{"columns"')
    found.push(...(json.rows[0] ?? []))
  }
  return found
}
