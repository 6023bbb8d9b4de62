import { Type } from '@sinclair/typebox'
import type { Services } from '../services.ts'

export const healthRoute = {
  response: {
    200: Type.Object({ status: Type.Literal('ok'), damaged_files: Type.Optional(Type.Integer({ minimum: 1 })) }),
  },
  detail: {
    operationId: 'service.health',
    summary: 'Check the health of the server',
    description:
      'Requires no API key. Returns 503 with the reason while the store does not accept writes. `damaged_files` ' +
      'counts damaged data files, whose rows are not served; it is omitted if there are none.',
    tags: ['Service'],
    security: [],
  },
}

export const health = (services: Services) => services.health.check()
