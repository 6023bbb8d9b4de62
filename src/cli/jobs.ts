import { Command } from 'commander'
import { type Job, Jobs } from '../domains/jobs/index.ts'
import type { Store } from '../engine/store.ts'
import { jobsTable } from '../engine/tables/jobs-table.ts'
import { DomainError } from '../lib/errors.ts'
import { createLog } from '../runtime/log.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { textTable } from './output.ts'
import { type PlaceOptions, withPlace } from './place.ts'
import { print, run } from './run.ts'
import { readStore, withStore } from './with-store.ts'

/** `jobs list | drop`: the jobs that the next start would resume. */
export function jobsCommand(): Command {
  const jobs = new Command('jobs').description(
    'list and drop pending evaluation and scoring jobs; requires that no server is running (on a lake, only to drop)',
  )
  withPlace(jobs.command('list'))
    .description('list the jobs that the next start will resume')
    .addHelpText('after', listNotes)
    .action((options: PlaceOptions, self: Command) => run(self, () => list(self, options)))
  withPlace(jobs.command('drop'))
    .description('drop jobs; results so far are kept')
    .argument('<id...>', 'job ids as shown by "jobs list"')
    .addHelpText('after', dropNotes)
    .action((ids: string[], options: PlaceOptions, self: Command) => run(self, () => drop(self, ids, options)))
  return jobs
}

const listNotes = `
ATTEMPTS counts failed attempts, including those ended by a server crash. A job is abandoned after ten attempts. To list
jobs while a server is running:
  tracelake sql "SELECT id, target_project_id, kind, attempts, error FROM jobs WHERE state = 'waiting'"`

const dropNotes = `
The call of a dropped evaluation stays open until POST /evaluations/cancel is sent to the server with its id. While a
server is running, that request alone is enough: it also drops the job.

Example:
  tracelake jobs drop 019a5a2c-6b1f-7d3e-9c64-0d1f2e3a4b5c --data ./data`

async function list(self: Command, options: PlaceOptions): Promise<void> {
  let undone: Job[] = []
  const { place } = await readStore(options, [jobsTable], async (store) => {
    undone = await jobsOf(store).listUndone()
  })
  if (undone.length === 0) {
    print(self, `No pending jobs in ${place}.`)
    return
  }
  const names = ['ID', 'PROJECT', 'KIND', 'BY', 'SINCE', 'ATTEMPTS', 'ERROR']
  print(self, textTable(names, undone.map(row)).trimEnd())
}

const row = ({ id, projectId, kind, userName, createdAt, attempts, error }: Job): string[] => [
  id,
  projectId,
  kind,
  userName,
  new Date(createdAt / 1000).toISOString(),
  String(attempts),
  error ?? '',
]

const instead = 'send it POST /evaluations/cancel, or stop it'

async function drop(self: Command, ids: readonly string[], options: PlaceOptions): Promise<void> {
  const dropped: Job[] = []
  const { place } = await withStore(options, instead, async (store) => {
    const jobs = jobsOf(store)
    dropped.push(...(await Promise.all([...new Set(ids)].map((id) => findUndone(jobs, id)))))
    for (const { projectId, id } of dropped) await jobs.cancel(projectId, id)
  })
  for (const { id, kind, projectId } of dropped) print(self, `Dropped ${kind} ${id} of ${projectId} in ${place}.`)
}

const jobsOf = (store: Store): Jobs => new Jobs({ store, clock: systemClock, log: createLog('warn') })

/** @throws DomainError InvalidRequest, so that a misspelled id drops nothing */
async function findUndone(jobs: Jobs, id: string): Promise<Job> {
  const job = await jobs.findById(id)
  if (job?.state === 'waiting' || job?.state === 'paused') return job
  const why = job === undefined ? 'there is no such job' : `it is already ${job.state}`
  throw new DomainError(
    'InvalidRequest',
    `Cannot drop job "${id}": ${why}; list pending jobs with "tracelake jobs list"`,
  )
}
