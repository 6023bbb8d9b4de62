import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { ProjectId } from '../../kernel/project-id.ts'
import { FilesStats } from '../../model/files.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'

export const filesStatsRoute = {
  body: OpenObject({ project_id: ProjectId }),
  response: { 200: FilesStats },
  detail: {
    operationId: 'files.stats',
    readOnly: true,
    summary: 'Get the total file size of a project',
    tags: ['Files'],
  },
}

export async function filesStats(services: Services, caller: Caller, body: Static<typeof filesStatsRoute.body>) {
  return { total_size_bytes: await services.files.totalBytes(caller.read(body.project_id)) }
}
