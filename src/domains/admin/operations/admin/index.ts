import { Elysia } from 'elysia'
import type { Config } from '../../../../runtime/config/configuration.ts'
import type { RequestContext } from '../../../requests/request-context.ts'
import type { AdminServices } from '../services.ts'
import { queryAudit, queryAuditRoute } from './audit.ts'
import { queryJobs, queryJobsRoute } from './jobs.ts'
import { createKey, createKeyRoute, queryKeys, queryKeysRoute, revokeKey, revokeKeyRoute } from './keys.ts'
import {
  querySecrets,
  querySecretsRoute,
  removeSecret,
  removeSecretRoute,
  setSecret,
  setSecretRoute,
} from './secrets.ts'
import { settings, settingsRoute } from './settings.ts'
import { storage, storageRoute } from './storage.ts'

/** Operations for those who operate the server. */
export const adminApi = (services: AdminServices, config: Config) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post('/keys/query', ({ caller }) => queryKeys(services, caller), queryKeysRoute)
    .post('/keys/create', ({ caller, body }) => createKey(services, caller, body), createKeyRoute)
    .post('/keys/revoke', ({ caller, body }) => revokeKey(services, caller, body), revokeKeyRoute)
    .post('/secrets/query', ({ caller }) => querySecrets(services, caller), querySecretsRoute)
    .post('/secrets/set', ({ caller, body }) => setSecret(services, caller, body), setSecretRoute)
    .post('/secrets/remove', ({ caller, body }) => removeSecret(services, caller, body), removeSecretRoute)
    .post('/service/storage', ({ caller, request, body }) => storage(services, caller, request, body), storageRoute)
    .post('/service/settings', ({ caller }) => settings(config, caller), settingsRoute)
    .post('/audit/query', ({ caller, body }) => queryAudit(services, caller, body), queryAuditRoute)
    .post('/jobs/query', ({ caller, body }) => queryJobs(services, caller, body), queryJobsRoute)
