import { Elysia } from 'elysia'
import type { RequestContext } from '../../domains/requests/request-context.ts'
import type { Services } from '../services.ts'
import { flush, flushRoute } from './flush.ts'
import { geolocate, geolocateRoute } from './geolocate.ts'
import { health, healthRoute } from './health.ts'
import { metrics, metricsPath, metricsRoute } from './metrics.ts'
import { projectsInfo, projectsInfoRoute } from './projects-info.ts'
import { serverInfo, serverInfoRoute } from './server-info.ts'
import { skill, skillPath, skillRoute } from './skill.ts'
import { readVersion, versionRoute } from './version.ts'

/** Operations about the server itself. */
export const serviceApi = (services: Services, { metricsOpen }: { readonly metricsOpen: boolean }) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .get('/health', () => health(services), healthRoute)
    .get('/version', () => readVersion(), versionRoute)
    .get(skillPath, () => skill(), skillRoute)
    .get('/server_info', () => serverInfo(), serverInfoRoute)
    .post('/service/projects_info', ({ caller, body }) => projectsInfo(caller, body), projectsInfoRoute)
    .post('/flush', ({ caller }) => flush(services, caller), flushRoute)
    .get(metricsPath, ({ caller }) => metrics(services, metricsOpen ? undefined : caller), metricsRoute)
    .get('/geolocate', ({ client, query }) => geolocate(services, client?.ip(), query), geolocateRoute)
