import { join } from 'node:path'
import { tables } from '../../../src/engine/tables/tables.ts'

interface Counting {
  readonly python: string
  readonly endpoint: string
  readonly prefix: string
  readonly folder: string
  readonly due: ReadonlyMap<string, readonly string[]>
}

/** What delta-rs and ClickHouse find in the tables of a lake, and should not, one per line. */
export async function countedByOthers({ python, endpoint, prefix, folder, due }: Counting): Promise<string[]> {
  const file = join(folder, 'due.json')
  const keys = Object.fromEntries(tables.map(({ name, key }) => [name, key]))
  await Bun.write(file, JSON.stringify({ calls: Object.fromEntries(due), keys }))
  const child = Bun.spawn([python, join(import.meta.dir, 'count.py'), endpoint, 'lake', prefix, file], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [text, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  const lines = text.split('\n').filter((line) => line !== '')
  for (const line of lines.filter((each) => each.startsWith('rows '))) console.log(`  ${line}`)
  return [
    ...lines.filter((line) => !line.startsWith('rows ')),
    ...(code === 0 ? [] : [`the other engines ended with ${code}: ${errors.slice(-2_000)}`]),
  ]
}
