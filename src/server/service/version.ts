import { Type } from '@sinclair/typebox'
import { version } from '../../lib/version.ts'

export const versionRoute = {
  response: { 200: Type.Object({ version: Type.String({ examples: ['0.1.0'] }) }) },
  detail: {
    operationId: 'service.version',
    summary: 'Get the server version',
    description: 'Requires no API key.',
    tags: ['Service'],
    security: [],
  },
}

export const readVersion = () => ({ version })
