import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { Empty, OpenObject } from '../../../../formats/schemas/members.ts'
import { explorationLimits } from '../../../../lib/limits/exploration.ts'
import { operationLimits } from '../../../../lib/limits/operations.ts'
import { memberOf } from '../../../../lib/present.ts'
import { formatTime } from '../../../../lib/time.ts'
import type { Config } from '../../../../runtime/config/configuration.ts'
import type { Caller, SecretRecord } from '../../../access/index.ts'
import { AuditEntries, AuditRequest } from '../../../audit/index.ts'
import type { Job } from '../../../jobs/index.ts'
import { requestContext } from '../../../requests/index.ts'
import { effectiveSettings } from '../../effective-settings.ts'
import {
  EffectiveSettings,
  JobList,
  JobShown,
  JobsRequest,
  SecretName,
  SecretNames,
  SecretRemove,
  SecretSet,
  Storage,
  StorageRequest,
} from '../../model/admin.ts'
import type { AdminServices } from '../services.ts'
import {
  createKey,
  createKeyRoute,
  forOperators,
  queryKeys,
  queryKeysRoute,
  requireOperator,
  revokeKey,
  revokeKeyRoute,
  rotateKey,
  rotateKeyRoute,
} from './keys.ts'
import { queryPeople, queryPeopleRoute, signOutPerson, signOutPersonRoute } from './people.ts'

const tags = ['Administration']

const querySecretsRoute = {
  body: OpenObject({}),
  response: { 200: SecretNames },
  detail: {
    operationId: 'secrets.query',
    readOnly: true,
    summary: 'List the secrets of model providers',
    description: `Their names, never their values. ${forOperators}`,
    tags,
  },
}

async function querySecrets({ secrets }: AdminServices, caller: Caller) {
  requireOperator(caller)
  return { secrets: (await secrets.list()).map(shown) }
}

const setSecretRoute = {
  body: SecretSet,
  response: { 200: SecretName },
  detail: {
    operationId: 'secrets.set',
    summary: 'Set a secret of a model provider',
    description: `Replaces the value of the same name and scope, if there is one. ${forOperators}`,
    tags,
  },
}

async function setSecret({ secrets }: AdminServices, caller: Caller, body: Static<typeof SecretSet>) {
  requireOperator(caller)
  const { name, scope = '*', hosts, value } = body
  return shown(await secrets.set({ name, scope, hosts: hosts ?? [], value }))
}

const removeSecretRoute = {
  body: SecretRemove,
  response: { 200: Empty },
  detail: {
    operationId: 'secrets.remove',
    summary: 'Remove a secret of a model provider',
    description: forOperators,
    tags,
  },
}

async function removeSecret({ secrets }: AdminServices, caller: Caller, body: Static<typeof SecretRemove>) {
  requireOperator(caller)
  await secrets.remove({ name: body.name, scope: body.scope ?? '*' })
  return {}
}

const shown = ({ name, scope, hosts, created_at }: SecretRecord): SecretName => ({
  name,
  scope,
  hosts: [...hosts],
  updated_at: created_at,
})

const queryJobsRoute = {
  body: JobsRequest,
  response: { 200: JobList },
  detail: {
    operationId: 'jobs.query',
    readOnly: true,
    summary: 'List evaluation and scoring jobs',
    description: `Jobs of all projects, or of one. ${forOperators}`,
    tags: ['Administration'],
  },
}

async function queryJobs(
  { jobs }: AdminServices,
  caller: Caller,
  { project_id, states, limit: requested }: Static<typeof queryJobsRoute.body>,
): Promise<Static<typeof JobList>> {
  requireOperator(caller)
  const limit = requested ?? explorationLimits.jobsListedDefault
  const found = await jobs.list({ projectId: project_id ?? undefined, states: states ?? [], limit: limit + 1 })
  return {
    jobs: found.slice(0, limit).map(shownJob),
    has_more: found.length > limit,
    waiting: await jobs.countUndone(),
  }
}

function progressOf({ progress }: Job): Static<typeof JobShown>['progress'] {
  const [done, total] = [memberOf(progress, 'done'), memberOf(progress, 'total')]
  return typeof done === 'number' ? { done, total: typeof total === 'number' ? total : null } : null
}

const shownJob = (job: Job): Static<typeof JobShown> => ({
  id: job.id,
  project_id: job.projectId,
  kind: job.kind,
  state: job.state,
  attempts: job.attempts,
  progress: progressOf(job),
  error: job.error,
  ext_user_id: job.userId,
  ext_username: job.userName,
  created_at: formatTime(job.createdAt),
  updated_at: job.updatedAt === undefined ? null : formatTime(job.updatedAt),
})

const cancelJobRoute = {
  body: OpenObject({ id: Type.String({ maxLength: operationLimits.idCharsMax }) }),
  response: { 200: JobShown },
  detail: {
    operationId: 'jobs.cancel',
    summary: 'Cancel a job',
    description: `Results so far are kept. An erasure cannot be cancelled. ${forOperators}`,
    tags: ['Administration'],
  },
}

async function cancelJob({ jobs }: AdminServices, caller: Caller, { id }: Static<typeof cancelJobRoute.body>) {
  requireOperator(caller)
  return shownJob(await jobs.cancelAny(id))
}

const queryAuditRoute = {
  body: AuditRequest,
  response: { 200: AuditEntries },
  detail: {
    operationId: 'audit.query',
    readOnly: true,
    summary: 'Query the audit log',
    description:
      'Sign-ins, administration, changes and, if configured, reads. Sent telemetry and reads are counted ' +
      `together by minute. ${forOperators}`,
    tags: ['Administration'],
  },
}

async function queryAudit(
  { audit }: AdminServices,
  caller: Caller,
  body: Static<typeof AuditRequest>,
): Promise<AuditEntries> {
  requireOperator(caller)
  return await audit.query(body)
}

const settingsRoute = {
  body: OpenObject({}),
  response: { 200: EffectiveSettings },
  detail: {
    operationId: 'service.settings',
    readOnly: true,
    summary: 'Get the configuration in effect',
    description: `Command line options included, secrets excluded. ${forOperators}`,
    tags: ['Administration'],
  },
}

function settings(config: Config, caller: Caller): EffectiveSettings {
  requireOperator(caller)
  return effectiveSettings(config)
}

const storageRoute = {
  body: StorageRequest,
  response: { 200: Storage },
  detail: {
    operationId: 'service.storage',
    readOnly: true,
    summary: 'Get the storage used by tables and projects',
    description: forOperators,
    tags: ['Administration'],
  },
}

function storage(
  services: AdminServices,
  caller: Caller,
  { signal }: Request,
  { limit }: Static<typeof storageRoute.body>,
) {
  requireOperator(caller)
  return services.storage.usage(caller.readProjects(), limit ?? undefined, signal)
}

/** Operations for those who operate the server. */
export const adminApi = (services: AdminServices, config: Config) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post('/keys/query', ({ caller }) => queryKeys(services, caller), queryKeysRoute)
    .post('/keys/create', ({ caller, body }) => createKey(services, caller, body), createKeyRoute)
    .post('/keys/rotate', ({ caller, body }) => rotateKey(services, caller, body), rotateKeyRoute)
    .post('/keys/revoke', ({ caller, body }) => revokeKey(services, caller, body), revokeKeyRoute)
    .post('/people/query', ({ caller }) => queryPeople(services, caller), queryPeopleRoute)
    .post('/people/sign_out', ({ caller, body }) => signOutPerson(services, caller, body), signOutPersonRoute)
    .post('/secrets/query', ({ caller }) => querySecrets(services, caller), querySecretsRoute)
    .post('/secrets/set', ({ caller, body }) => setSecret(services, caller, body), setSecretRoute)
    .post('/secrets/remove', ({ caller, body }) => removeSecret(services, caller, body), removeSecretRoute)
    .post('/service/storage', ({ caller, request, body }) => storage(services, caller, request, body), storageRoute)
    .post('/service/settings', ({ caller }) => settings(config, caller), settingsRoute)
    .post('/audit/query', ({ caller, body }) => queryAudit(services, caller, body), queryAuditRoute)
    .post('/jobs/query', ({ caller, body }) => queryJobs(services, caller, body), queryJobsRoute)
    .post('/jobs/cancel', ({ caller, body }) => cancelJob(services, caller, body), cancelJobRoute)
