import { Command } from 'commander'
import { type Erasure, type ErasureProgress, eraseProject } from '../domains/retention/index.ts'
import { isProjectId } from '../lib/project-id.ts'
import { ConfigError } from '../runtime/config/config-error.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { delay } from '../runtime/platform/event-loop.ts'
import { Progress } from './output.ts'
import { print, run } from './run.ts'
import { callServer, type ServedPlaceOptions, withServedPlace } from './server-options.ts'
import { withStore } from './with-store.ts'

const pollMs = 500

/** `erase`: removes everything that a project contains. */
export const eraseCommand = (): Command =>
  withServedPlace(
    new Command('erase')
      .description('erase a project: all its calls, objects, files and settings, for good')
      .argument('<entity/project>', 'project to erase')
      .option('--yes', 'confirm that the project is to be erased (required)'),
  )
    .addHelpText('after', notes)
    .action((project: string, options: EraseOptions, self: Command) => run(self, () => erase(self, project, options)))

const notes = `
With --to, a running server erases the project, which appears empty at once, and refuses writes until the end. An
interrupted erasure continues at the next start. Without --to, no server may be running on the folder or lake.

No file of the data folder contains anything of the project three hours after the end, plus the time for which old
versions are kept (TRACELAKE_VERSIONS_KEPT_MIN). The same holds for the objects of a lake, as soon as a server has run
on it for that long: without one, replaced files and contents of uploads stay for those who are reading them. Later
backups do not contain it; delete earlier ones, or repeat them into the same folder.

Examples:
  tracelake erase acme/support-bot --yes --to http://127.0.0.1:8470 --key "$KEY"
  tracelake erase acme/support-bot --yes --data ./data
  tracelake erase acme/support-bot --yes --lake s3://my-bucket/traces`

interface EraseOptions extends ServedPlaceOptions {
  readonly yes?: true
}

async function erase(self: Command, project: string, options: EraseOptions): Promise<void> {
  if (!isProjectId(project)) throw new ConfigError(`"${project}" is not a project: use <entity>/<project>`)
  if (options.yes !== true) throw new ConfigError(`this removes everything in ${project} for good: confirm with --yes`)
  const progress = new Progress()
  try {
    const rows =
      options.to === undefined
        ? await eraseHere(project, options, progress)
        : await eraseOnServer(project, options, progress)
    progress.end()
    print(self, `Erased ${project}; rows removed: ${rows.toLocaleString('en-US')}.`)
  } finally {
    progress.end()
  }
}

/** @returns the number of rows removed */
async function eraseHere(projectId: string, options: EraseOptions, progress: Progress): Promise<number> {
  let done: ErasureProgress | undefined
  await withStore(options, 'name it with --to, or stop it', async (store) => {
    await store.erasure.hide(projectId)
    const onProgress = ({ table, filesLeft }: ErasureProgress) => progress.say(`${table}: files left`, filesLeft)
    done = await eraseProject({ store, clock: systemClock }, projectId, { onProgress })
    await store.flush({ retainIncomplete: false })
  })
  if (done === undefined || done.damagedFiles === 0) return done?.rows ?? 0
  throw new Error(
    `${done.damagedFiles} damaged files may contain rows of the project: run "tracelake repair", then erase it again`,
  )
}

async function eraseOnServer(project_id: string, options: EraseOptions, progress: Progress): Promise<number> {
  let { id, ...erasure } = await callServer<Erasure>(options, '/projects/erase', { project_id })
  while (erasure.state === 'running') {
    await delay(pollMs)
    const { erasures } = await callServer<{ erasures: Erasure[] }>(options, '/erasures/query', { project_id })
    erasure = erasures.find((each) => each.id === id) ?? erasure
    progress.say(`${erasure.table ?? 'waiting'}: files left`, erasure.files_left ?? 0)
  }
  if (erasure.state === 'failed') throw new Error(erasure.error ?? 'the erasure failed')
  return erasure.rows ?? 0
}
