import { afterAll } from 'bun:test'
import { join } from 'node:path'
import { type ServerProcess, startServer } from '../conformance/support/server-process.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { CommandChild } from './command.ts'

/** A server to import into, and a folder for files and for the state of imports. */
export interface ImportTarget {
  readonly server: ServerProcess
  readonly folder: string
  /** Starts an import into `project`. */
  importing(source: string, place: string, project: string, ...options: string[]): CommandChild
  /** Imports into `project`, to the end of the command. */
  imported(source: string, place: string, project: string, ...options: string[]): ReturnType<CommandChild['ended']>
  callsOf<Call>(project: string): Promise<Call[]>
}

/** Both are removed after the file's last test. */
export async function openImportTarget(): Promise<ImportTarget> {
  const server = await startServer()
  const folder = await makeTempFolder()
  afterAll(async () => {
    await server.stop()
    await removeFolder(folder)
  })
  const to = ['--to', server.client.address, '--key', server.adminKey]
  const importing: ImportTarget['importing'] = (source, place, project, ...options) =>
    new CommandChild(['import', source, place, '--project', project, ...to, ...options], {
      XDG_STATE_HOME: join(folder, 'state'),
    })
  return {
    server,
    folder,
    importing,
    imported: (...words) => importing(...words).ended(),
    async callsOf<Call>(project: string) {
      const { json } = await server.client.post('/calls/query', { project_id: project, include_feedback: true })
      return (json as { calls: Call[] }).calls
    },
  }
}
