import { Command } from 'commander'
import { Caller } from '../domains/access/index.ts'
import { type Storage, StorageUsage } from '../domains/admin/index.ts'
import { present } from '../lib/present.ts'
import { loadConfig } from '../runtime/config.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { absolutePath } from '../runtime/platform/files/paths.ts'
import { bytesText, plainTable } from './output.ts'
import { print, run } from './run.ts'
import { callServer, type PlaceOptions, withPlaceOptions } from './server-options.ts'
import { withStore } from './with-store.ts'

/** `usage`: the disk used by projects and by tables. */
export const usageCommand = (): Command =>
  withPlaceOptions(new Command('usage').description('show the disk used by projects and by tables'))
    .option('--json', 'print the answer of POST /service/storage')
    .addHelpText('after', notes)
    .action((options: UsageOptions, self: Command) => run(self, () => showUsage(self, options)))

const notes = `
SENT is what clients sent, before compression. ON DISK is an estimate: a share of the data files in proportion to
the bytes that the project sent. Lists the 1,000 largest projects.

Examples:
  tracelake usage --to http://127.0.0.1:8470 --key "$KEY"
  tracelake usage --data ./data`

interface UsageOptions extends PlaceOptions {
  readonly json?: true
}

const listedMax = 1000

async function showUsage(self: Command, options: UsageOptions): Promise<void> {
  const storage = options.to === undefined ? await ofFolder(options) : await ofServer(options)
  if (options.json) return print(self, JSON.stringify(storage, null, 2))
  const { projects, tables, has_more, bytes, disk_free_bytes } = storage
  const projectRows = projects.map((project) => [
    project.project_id,
    count(project.calls),
    bytesText(project.bytes),
    bytesText(project.disk_bytes),
  ])
  const tableRows = tables
    .filter(({ rows, memory_rows }) => rows > 0 || memory_rows > 0)
    .map(({ name, rows, memory_rows, files, bytes }) => [
      name,
      count(rows + memory_rows),
      count(files),
      bytesText(bytes),
    ])
  print(self, ...plainTable([['PROJECT', 'CALLS', 'SENT', 'ON DISK'], ...projectRows]))
  if (has_more) print(self, `… and smaller projects`)
  print(self, '', ...plainTable([['TABLE', 'ROWS', 'FILES', 'ON DISK'], ...tableRows]))
  const free = disk_free_bytes === null ? '' : `, ${bytesText(disk_free_bytes)} free`
  print(self, '', `${storage.folder}: ${bytesText(bytes)}${free}`)
}

const count = (value: number): string => value.toLocaleString('en-US')

const ofServer = (options: PlaceOptions): Promise<Storage> =>
  callServer(options, '/service/storage', { limit: listedMax })

async function ofFolder({ data }: PlaceOptions): Promise<Storage> {
  const config = loadConfig({ data })
  let storage: Storage | undefined
  await withStore(config, async (store) => {
    const operator = new Caller({ userId: 'operator', userName: 'command line', role: 'admin', scope: '*' })
    const usage = new StorageUsage({ store, clock: systemClock, folder: absolutePath(config.data) })
    storage = await usage.usage(operator.readProjects(), listedMax, new AbortController().signal)
  })
  return present(storage, 'The usage of the folder')
}
