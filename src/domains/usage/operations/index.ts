import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller } from '../../access/index.ts'
import { jsonPiecesResponse, requestContext } from '../../requests/index.ts'
import type { CallStatistics } from '../call-stats.ts'
import { CallStats, CallStatsRequest } from '../model/call-stats.ts'
import { ObjectUses, ObjectUsesRequest } from '../model/object-uses.ts'
import { CallsUsageRequest, CallUsage, ProjectStats, ProjectStatsRequest, TraceUsageRequest } from '../model/usage.ts'
import type { ObjectUseCounts } from '../object-uses.ts'
import type { ProjectSizes } from '../project-sizes.ts'
import type { Usage } from '../usage.ts'

/** The services that these operations are given. */
interface UsageServices {
  readonly callStatistics: CallStatistics
  readonly objectUses: ObjectUseCounts
  readonly projectSizes: ProjectSizes
  readonly usage: Usage
}

const traceUsageRoute = {
  body: TraceUsageRequest,
  response: { 200: CallUsage },
  detail: {
    operationId: 'usage.ofMatchingCalls',
    readOnly: true,
    summary: 'Get the rolled-up usage of matching calls',
    description:
      'For each matching call, returns the usage of it and its matching descendants. What a call states counts ' +
      'unless a matching descendant states usage.',
    tags: ['Usage'],
  },
}

function traceUsage(
  services: UsageServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof traceUsageRoute.body>,
) {
  const reader = caller.read(body.project_id)
  return jsonPiecesResponse(signal, (left) => services.usage.ofMatching(reader, body, left))
}

const callStatsRoute = {
  body: CallStatsRequest,
  response: { 200: CallStats },
  detail: {
    operationId: 'calls.stats',
    readOnly: true,
    summary: 'Get call statistics over time',
    description:
      'Returns all buckets of the range, including empty ones, with usage per model. The range is limited to 31 ' +
      'days unless the buckets are at least a day long. `group_by` divides the buckets by the values of a field, ' +
      '`histogram` counts the calls by ranges of latency, `score` sums up a value of the feedback on them, and ' +
      '`totals` adds the same statistics of the whole range.',
    tags: ['Usage'],
  },
}

const callStats = (
  services: UsageServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof callStatsRoute.body>,
) => services.callStatistics.stats(caller.read(body.project_id), body, signal)

const callsUsageRoute = {
  body: CallsUsageRequest,
  response: { 200: CallUsage },
  detail: {
    operationId: 'usage.ofCalls',
    readOnly: true,
    summary: 'Get the usage of calls and their descendants',
    description: 'Returns one entry per id; empty for unknown calls and calls without usage.',
    tags: ['Usage'],
  },
}

function callsUsage(
  services: UsageServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof callsUsageRoute.body>,
) {
  const reader = caller.read(body.project_id)
  return jsonPiecesResponse(signal, (left) => services.usage.ofCalls(reader, body, left))
}

const projectStatsRoute = {
  body: ProjectStatsRequest,
  response: { 200: ProjectStats },
  detail: {
    operationId: 'projects.stats',
    readOnly: true,
    summary: 'Get the storage size of a project',
    description: 'Sizes are in bytes as sent by clients, before compression.',
    tags: ['Usage'],
  },
}

const projectStats = (
  services: UsageServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof projectStatsRoute.body>,
) => services.projectSizes.stats(caller.read(body.project_id), body, signal)

const objectUsesRoute = {
  body: ObjectUsesRequest,
  response: { 200: ObjectUses },
  detail: {
    operationId: 'objects.uses',
    readOnly: true,
    summary: 'Count the calls that used objects',
    description:
      'Counts the calls of a time range, at most 31 days, whose inputs have refs to objects of the project, by ' +
      'object and by version, and how many of them failed. Objects and versions without calls are not listed.',
    tags: ['Objects'],
  },
}

const objectUses = (
  services: UsageServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof objectUsesRoute.body>,
) => services.objectUses.count(caller.read(body.project_id), body, signal)

/** Token usage and costs summed over calls. */
export const usageApi = (services: UsageServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post('/calls/stats', ({ caller, request, body }) => callStats(services, caller, request, body), callStatsRoute)
    .post('/objs/uses', ({ caller, request, body }) => objectUses(services, caller, request, body), objectUsesRoute)
    .post('/calls/usage', ({ caller, request, body }) => callsUsage(services, caller, request, body), callsUsageRoute)
    .post(
      '/project/stats',
      ({ caller, request, body }) => projectStats(services, caller, request, body),
      projectStatsRoute,
    )
    .post('/trace/usage', ({ caller, request, body }) => traceUsage(services, caller, request, body), traceUsageRoute)
