import { Command } from 'commander'
import { loadConfig } from '../config.ts'
import { DomainError } from '../errors.ts'
import { createLog } from '../log.ts'
import { systemClock } from '../platform/clock.ts'
import type { Job } from '../records/jobs/job.ts'
import { Jobs } from '../records/jobs/jobs.ts'
import { print, run } from './run.ts'
import { textTable } from './text-table.ts'
import { withStore } from './with-store.ts'

/** `jobs list | drop`: what a server would take up again at its next start. */
export function jobsCommand(): Command {
  const jobs = new Command('jobs').description(
    'list and drop evaluations and scorings that are not done, where no server runs',
  )
  jobs
    .command('list')
    .description('list the jobs that the next start would take up')
    .option('--data <folder>', 'data folder (TRACELAKE_DATA, default ./data)')
    .addHelpText('after', listNotes)
    .action((options: DataOption, self: Command) => run(self, () => list(self, options)))
  jobs
    .command('drop')
    .description('give up jobs; what they have done so far stays')
    .argument('<id...>', 'ids of jobs, as "jobs list" shows them')
    .option('--data <folder>', 'data folder (TRACELAKE_DATA, default ./data)')
    .addHelpText('after', dropNotes)
    .action((ids: string[], options: DataOption, self: Command) => run(self, () => drop(self, ids, options)))
  return jobs
}

const listNotes = `
ATTEMPTS counts how often the work broke off, and how often the server died before a part of it was done. After ten the
server gives a job up by itself. Beside a running server:
  tracelake sql "SELECT id, target_project_id, kind, attempts, error FROM jobs WHERE state = 'waiting'"`

const dropNotes = `
The call of an evaluation that is dropped stays open; POST /evaluations/cancel with its id, once the server runs, ends it.
On a running server that request alone is enough: it drops the job too.

Example:
  tracelake jobs drop 019a5a2c-6b1f-7d3e-9c64-0d1f2e3a4b5c --data ./data`

interface DataOption {
  data?: string
}

async function list(self: Command, options: DataOption): Promise<void> {
  const { undone, folder } = await withJobs(options, (jobs) => jobs.listUndone())
  if (undone.length === 0) {
    print(self, `No jobs in ${folder} wait to be done.`)
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

async function drop(self: Command, ids: readonly string[], options: DataOption): Promise<void> {
  const { undone, folder } = await withJobs(options, async (jobs) => {
    const dropped = await Promise.all([...new Set(ids)].map((id) => findUndone(jobs, id)))
    for (const { projectId, id } of dropped) await jobs.cancel(projectId, id)
    return dropped
  })
  for (const { id, kind, projectId } of undone) print(self, `Dropped ${kind} ${id} of ${projectId} in ${folder}.`)
}

/** @throws DomainError InvalidRequest, so that nothing is dropped where an id is misspelt */
async function findUndone(jobs: Jobs, id: string): Promise<Job> {
  const job = await jobs.findById(id)
  if (job?.state === 'waiting') return job
  const why = job === undefined ? 'there is no such job' : `it is ${job.state} already`
  throw new DomainError('InvalidRequest', `Drop the job "${id}": ${why}; "tracelake jobs list" shows those that wait`)
}

async function withJobs(
  options: DataOption,
  work: (jobs: Jobs) => Promise<Job[]>,
): Promise<{ undone: Job[]; folder: string }> {
  const config = loadConfig(options)
  let undone: Job[] = []
  await withStore(config, async (store) => {
    const log = createLog('warn')
    undone = await work(new Jobs({ store, clock: systemClock, log, queryTimeoutMs: config.queryTimeoutMs }))
  })
  return { undone, folder: config.data }
}
