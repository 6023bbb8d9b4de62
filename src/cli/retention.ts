import { Command } from 'commander'
import { Caller } from '../domains/access/index.ts'
import { Retention } from '../domains/retention/index.ts'
import { retentionTable } from '../engine/tables/retention-table.ts'
import { retentionLimits } from '../lib/limits/retention.ts'
import { isProjectId } from '../lib/project-id.ts'
import { ConfigError } from '../runtime/config/config-error.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { plainTable } from './output.ts'
import { type PlaceOptions, withPlace } from './place.ts'
import { print, run } from './run.ts'
import { callServer, type ServedPlaceOptions, withServedPlace } from './server-options.ts'
import { readStore, withStore } from './with-store.ts'

/** `retention list | set`: for how long projects keep their calls. */
export function retentionCommand(): Command {
  const retention = new Command('retention').description('list and set for how many days projects keep their calls')
  withPlace(retention.command('list'))
    .description(
      'list the projects that do not keep their calls for ever; requires that no server is running on a folder',
    )
    .action((options: PlaceOptions, self: Command) => run(self, () => list(self, options)))
  withServedPlace(
    retention
      .command('set')
      .description('set for how many days a project keeps its calls, log records and metrics')
      .argument('<entity/project>', 'project')
      .argument('<days>', `1 to ${retentionLimits.retentionDaysMax}, or "forever"`),
  )
    .addHelpText('after', notes)
    .action((project: string, days: string, options: ServedPlaceOptions, self: Command) =>
      run(self, () => set(self, project, days, options)),
    )
  return retention
}

const notes = `
Days count from the start of a call. A running server erases older calls within an hour, with their feedback, queue
items and files.

Examples:
  tracelake retention set acme/support-bot 30 --to http://127.0.0.1:8470 --key "$KEY"
  tracelake retention set acme/support-bot forever --data ./data
  tracelake retention list --lake s3://my-bucket/traces
  tracelake sql "SELECT project_id, days FROM retention"      while a server is running`

async function list(self: Command, options: PlaceOptions): Promise<void> {
  await readStore(options, [retentionTable], async (store, place) => {
    const policies = (await Retention.open({ store, clock: systemClock })).all()
    if (policies.length === 0) return print(self, `All projects in ${place} keep their calls for ever.`)
    const rows = policies.map(({ projectId, days, changedByName, changedAt }) => [
      projectId,
      String(days),
      new Date(changedAt / 1000).toISOString().slice(0, 10),
      changedByName,
    ])
    print(self, ...plainTable([['PROJECT', 'DAYS', 'SET', 'BY'], ...rows]))
  })
}

async function set(self: Command, project: string, text: string, options: ServedPlaceOptions): Promise<void> {
  if (!isProjectId(project)) throw new ConfigError(`"${project}" is not a project: use <entity>/<project>`)
  const days = text === 'forever' ? undefined : Number(text)
  if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= retentionLimits.retentionDaysMax))
    throw new ConfigError(
      `"${text}" is not a number of days: use 1 to ${retentionLimits.retentionDaysMax}, or "forever"`,
    )
  if (options.to !== undefined) {
    await callServer(options, '/retention/set', { project_id: project, retention_days: days ?? null })
  } else {
    await withStore(options, 'name it with --to, or stop it', async (store) => {
      const operator = new Caller({ userId: 'operator', userName: 'command line', role: 'admin', scope: '*' })
      const retention = await Retention.open({ store, clock: systemClock })
      await retention.set(operator.administer(project), days, operator.userName)
    })
  }
  print(self, `${project} keeps its calls ${days === undefined ? 'for ever' : `for ${days} days`}.`)
}
