import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { runCommand } from '../cli/command.ts'
import { Project } from '../conformance/support/project.ts'
import { type ServerProcess, startServer } from '../conformance/support/server-process.ts'
import { addDemoCalls } from '../docs/demo-calls.ts'

/** A running server whose table of calls has been written to for a while. */
export interface UsedServer {
  readonly server: ServerProcess
  /** The calls that it shows. */
  readonly calls: number
}

/**
 * Starts a server on `data` after calls were stored, flushed, compacted, changed and deleted, so
 * that files which are no longer part of the table are still in its folder; some calls are only in
 * memory.
 *
 * @throws Error if every file in the folder is part of the table
 */
export async function startUsedServer(data: string, env: Record<string, string>): Promise<UsedServer> {
  const first = await startServer({ data, env })
  await addDemoCalls(first.client)
  await first.client.post('/flush', {})
  await projectOf(first).add(...later(0))
  await first.stop()
  const { err, code } = await runCommand('compact', '--data', data)
  if (code !== 0) throw new Error(`Compact the folder: ${err}`)

  const server = await startServer({ data, env })
  const project = projectOf(server)
  const ids = (await project.query({ columns: ['id'], limit: 30 })).map(({ id }) => id)
  for (const id of ids.slice(0, 10)) await project.update(id, 'renamed')
  await server.client.post('/calls/delete', { project_id: project.id, call_ids: ids.slice(10) })
  await server.client.post('/flush', {})
  await project.add(...later(20))
  const { count } = (await server.client.post<{ count: number }>('/calls/query_stats', { project_id: project.id })).json
  const inFiles = await rowsOfAllFiles(data)
  if (inFiles <= count) throw new Error(`The folder has no replaced files: ${inFiles} rows for ${count} calls`)
  return { server, calls: count }
}

const projectOf = ({ client }: ServerProcess) => new Project(client, 'demo', 'support-bot')

/** Calls besides those of the demo. */
const later = (from: number) => Array.from({ length: 20 }, (_, index) => ({ id: `later-${from + index}` }))

async function rowsOfAllFiles(data: string): Promise<number> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const pattern = path.join(data, 'tables/calls/*.parquet').replaceAll("'", "''")
  const result = await connection.runAndReadAll(`SELECT count(*)::DOUBLE FROM read_parquet('${pattern}')`)
  connection.closeSync()
  instance.closeSync()
  return result.getRows()[0]![0] as number
}
