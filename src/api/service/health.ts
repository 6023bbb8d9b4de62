import { Type } from '@sinclair/typebox'
import type { Services } from '../../services/services.ts'

export const healthRoute = {
  response: { 200: Type.Object({ status: Type.Literal('ok') }) },
  detail: {
    operationId: 'service.health',
    summary: 'Whether the server accepts writes',
    description: 'Needs no key. 503 with the reason while the store does not accept writes.',
    tags: ['Service'],
    security: [],
  },
}

export const health = (services: Services) => services.health.check()
