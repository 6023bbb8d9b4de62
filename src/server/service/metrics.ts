import type { Caller } from '../../domains/access/index.ts'
import type { Services } from '../services.ts'

export const metricsPath = '/metrics'

export const metricsRoute = {
  detail: {
    operationId: 'service.metrics',
    summary: 'Get server metrics',
    description:
      'Prometheus text format. Requires a key of any role with scope `*` unless the server runs with ' +
      'TRACELAKE_METRICS=open.',
    tags: ['Service'],
    responses: { 200: { description: 'Metrics', content: { 'text/plain': { schema: { type: 'string' as const } } } } },
  },
}

/** @param caller undefined if the server exposes its metrics without a key */
export async function metrics(services: Services, caller: Caller | undefined): Promise<Response> {
  caller?.requireEveryProject()
  const { text, contentType } = await services.metrics.text()
  return new Response(text, { headers: { 'content-type': contentType } })
}
