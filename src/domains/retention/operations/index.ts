import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { DomainError } from '../../../lib/errors.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { retentionLimits } from '../../../lib/limits/retention.ts'
import { formatTime } from '../../../lib/time.ts'
import type { Caller } from '../../access/index.ts'
import { requestContext } from '../../requests/index.ts'
import type { Erasure as ErasureAtWork, Erasures } from '../erasures.ts'
import type { Expiry } from '../expiry.ts'
import {
  Erasure,
  ErasureList,
  ErasuresRequest,
  ProjectErase,
  RetentionPolicy,
  RetentionRead,
  RetentionSet,
  RetentionTried,
  RetentionTry,
} from '../model/retention.ts'
import type { Retention } from '../retention.ts'
import type { RetentionPreviews } from '../retention-preview.ts'

/** The services that these operations are given. */
interface RetentionServices {
  readonly erasedWithinMs: number
  readonly erasures: Erasures
  readonly expiry: Expiry
  readonly retention: Retention
  readonly retentionPreviews: RetentionPreviews
}

const readRetentionRoute = {
  body: RetentionRead,
  response: { 200: RetentionPolicy },
  detail: {
    operationId: 'retention.read',
    readOnly: true,
    summary: 'Get the retention of a project',
    tags: ['Retention'],
  },
}

const readRetention = (
  { retention }: RetentionServices,
  caller: Caller,
  { project_id }: Static<typeof RetentionRead>,
): RetentionPolicy => {
  const policy = retention.find(caller.read(project_id))
  return {
    project_id,
    retention_days: policy?.days ?? null,
    updated_at: policy === undefined ? null : formatTime(policy.changedAt),
    ext_user_id: policy?.changedBy ?? null,
    ext_username: policy?.changedByName ?? null,
  }
}

const setRetentionRoute = {
  body: RetentionSet,
  response: { 200: RetentionPolicy },
  detail: {
    operationId: 'retention.set',
    summary: 'Set the retention of a project',
    description:
      'Older calls, log records and metrics, with the feedback, queue items and files that belong to them, are ' +
      'erased within an hour. Requires an admin key.',
    tags: ['Retention'],
  },
}

async function setRetention(
  services: RetentionServices,
  caller: Caller,
  { project_id, retention_days }: Static<typeof RetentionSet>,
): Promise<RetentionPolicy> {
  const writer = caller.administer(project_id)
  if (retention_days !== null) checkDays(retention_days)
  await services.retention.set(writer, retention_days ?? undefined, caller.userName)
  services.expiry.sweepSoon()
  return readRetention(services, caller, { project_id })
}

/** @throws DomainError InvalidRequest */
function checkDays(days: number): void {
  if (days >= 1 && days <= retentionLimits.retentionDaysMax) return
  throw new DomainError(
    'InvalidRequest',
    `\`retention_days\` must be between 1 and ${retentionLimits.retentionDaysMax}, or null, not ${days}`,
  )
}

const previewRetentionRoute = {
  body: RetentionTry,
  response: { 200: RetentionTried },
  detail: {
    operationId: 'retention.preview',
    readOnly: true,
    summary: 'Count what a retention would delete',
    description: 'Nothing is changed. Feedback, queue items and files that belong to deleted calls come on top.',
    tags: ['Retention'],
  },
}

async function previewRetention(
  { retentionPreviews }: RetentionServices,
  caller: Caller,
  { signal }: Request,
  { project_id, retention_days }: Static<typeof RetentionTry>,
): Promise<RetentionTried> {
  const reader = caller.read(project_id)
  checkDays(retention_days)
  const { beforeMs, calls, logRecords, metricPoints } = await retentionPreviews.count(reader, retention_days, signal)
  return {
    project_id,
    retention_days,
    before: formatTime(beforeMs * 1000),
    calls,
    log_records: logRecords,
    metric_points: metricPoints,
  }
}

/** An erasure as it is answered. */
function shownErasure({ job, progress }: ErasureAtWork, erasedWithinMs: number): Erasure {
  const { state, updatedAt } = job
  const isRunning = state === 'waiting'
  const isDone = state === 'completed' && updatedAt !== undefined
  return {
    id: job.id,
    project_id: job.projectId,
    state: isRunning ? 'running' : state === 'completed' ? 'completed' : 'failed',
    error: job.error,
    rows: progress?.rows ?? null,
    table: (isRunning && progress?.table) || null,
    files_left: isRunning ? (progress?.filesLeft ?? null) : 0,
    requested_at: formatTime(job.createdAt),
    finished_at: isRunning || updatedAt === undefined ? null : formatTime(updatedAt),
    gone_at: isDone ? formatTime(updatedAt + erasedWithinMs * 1000) : null,
    ext_user_id: job.userId,
    ext_username: job.userName,
  }
}

const queryErasuresRoute = {
  body: ErasuresRequest,
  response: { 200: ErasureList },
  detail: {
    operationId: 'erasures.query',
    readOnly: true,
    summary: 'List erasures of projects',
    description: 'Erasures of one project or of all. Requires an admin key with access to them.',
    tags: ['Retention'],
  },
}

async function queryErasures(
  { erasures, erasedWithinMs }: RetentionServices,
  caller: Caller,
  { project_id, limit }: Static<typeof ErasuresRequest>,
): Promise<Static<typeof ErasureList>> {
  if (project_id === null || project_id === undefined) caller.requireOperator()
  else caller.administer(project_id)
  const projectId = project_id ?? undefined
  const found = await erasures.list({ projectId, limit: limit ?? explorationLimits.jobsListedDefault })
  return { erasures: found.map((erasure) => shownErasure(erasure, erasedWithinMs)) }
}

const eraseProjectRoute = {
  body: ProjectErase,
  response: { 200: Erasure },
  detail: {
    operationId: 'projects.erase',
    summary: 'Erase a project',
    description:
      'Removes everything that the project contains from all files of the data folder. The project appears empty ' +
      'at once, and refuses writes with 503 until the erasure has finished; then it can be used again. It cannot be ' +
      'undone. Requires an admin key.',
    tags: ['Retention'],
  },
}

async function eraseProject(
  { erasures, erasedWithinMs }: RetentionServices,
  caller: Caller,
  { project_id }: Static<typeof ProjectErase>,
): Promise<Erasure> {
  return shownErasure(await erasures.begin(caller.administer(project_id), caller.userName), erasedWithinMs)
}

/** For how long projects keep their data, and removing it. */
export const retentionApi = (services: RetentionServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post('/retention/read', ({ caller, body }) => readRetention(services, caller, body), readRetentionRoute)
    .post('/retention/set', ({ caller, body }) => setRetention(services, caller, body), setRetentionRoute)
    .post(
      '/retention/preview',
      ({ caller, request, body }) => previewRetention(services, caller, request, body),
      previewRetentionRoute,
    )
    .post('/projects/erase', ({ caller, body }) => eraseProject(services, caller, body), eraseProjectRoute)
    .post('/erasures/query', ({ caller, body }) => queryErasures(services, caller, body), queryErasuresRoute)
