import { Command } from 'commander'
import { Caller } from '../domains/access/index.ts'
import { type Storage, StorageUsage } from '../domains/admin/index.ts'
import { referrersFirst } from '../engine/tables/tables.ts'
import { present } from '../lib/present.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { absolutePath } from '../runtime/platform/files/paths.ts'
import { bytesText, plainTable } from './output.ts'
import type { PlaceOptions } from './place.ts'
import { print, run } from './run.ts'
import { callServer, type ServedPlaceOptions, withServedPlace } from './server-options.ts'
import { readStore } from './with-store.ts'

/** `usage`: the disk used by projects and by tables. */
export const usageCommand = (): Command =>
  withServedPlace(new Command('usage').description('show the disk used by projects and by tables'))
    .option('--json', 'print the answer of POST /service/storage')
    .addHelpText('after', notes)
    .action((options: UsageOptions, self: Command) => run(self, () => showUsage(self, options)))

const notes = `
SENT is what clients sent, before compression. ON DISK is an estimate: a share of the data files in proportion to
the bytes that the project sent. Lists the 1,000 largest projects.

Of a lake, all tables are fetched first, whether or not a server is running; with --to, the server answers from its
cache.

Examples:
  tracelake usage --to http://127.0.0.1:8470 --key "$KEY"
  tracelake usage --data ./data
  tracelake usage --lake s3://my-bucket/traces`

interface UsageOptions extends ServedPlaceOptions {
  readonly json?: true
}

const listedMax = 1000

async function showUsage(self: Command, options: UsageOptions): Promise<void> {
  const storage = options.to === undefined ? await ofPlace(options) : await ofServer(options)
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

const ofServer = (options: ServedPlaceOptions): Promise<Storage> =>
  callServer(options, '/service/storage', { limit: listedMax })

async function ofPlace(options: PlaceOptions): Promise<Storage> {
  let storage: Storage | undefined
  await readStore(options, referrersFirst, async (store, place) => {
    const operator = new Caller({ userId: 'operator', userName: 'command line', role: 'admin', scope: '*' })
    const isFolder = !place.includes('://')
    const at = isFolder ? absolutePath(place) : place
    const diskFolder = isFolder ? at : undefined
    const usage = new StorageUsage({ store, clock: systemClock, place: at, diskFolder })
    storage = await usage.usage(operator.readProjects(), listedMax, new AbortController().signal)
  })
  return present(storage, 'The usage of the data')
}
