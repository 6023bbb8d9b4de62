import { Elysia } from 'elysia'
import type { Config } from '../../../runtime/config/configuration.ts'
import type { RequestContext } from '../../requests/request-context.ts'
import { createFile, createFileRoute } from './create-file.ts'
import { fileContent, fileContentRoute } from './file-content.ts'
import { filesStats, filesStatsRoute } from './files-stats.ts'
import type { FilesServices } from './services.ts'

import { showFile, showFileRoute } from './show-file.ts'

/** Operations whose body is a form, which their handlers read themselves. */
export const formPaths: ReadonlySet<string> = new Set(['/file/create', '/files/create'])

const hidden = <Route extends { detail: object }>(route: Route) => ({
  ...route,
  detail: { ...route.detail, hide: true },
})

/** File operations. The Python client uses the paths under `/files/`. */
export const filesApi = (services: FilesServices, { fileBytesMax }: Config) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post('/file/create', ({ caller, request }) => createFile(services, caller, request, fileBytesMax), createFileRoute)
    .post(
      '/files/create',
      ({ caller, request }) => createFile(services, caller, request, fileBytesMax),
      hidden(createFileRoute),
    )
    .post(
      '/file/content',
      ({ caller, request, body }) => fileContent(services, caller, request.headers, body),
      fileContentRoute,
    )
    .post(
      '/files/content',
      ({ caller, request, body }) => fileContent(services, caller, request.headers, body),
      hidden(fileContentRoute),
    )
    .get(
      '/files/:entity/:project/:digest',
      ({ caller, request, params }) => showFile(services, caller, request.headers, params),
      showFileRoute,
    )
    .post('/files/query_stats', ({ caller, body }) => filesStats(services, caller, body), filesStatsRoute)
    .post('/files/stats', ({ caller, body }) => filesStats(services, caller, body), hidden(filesStatsRoute))
