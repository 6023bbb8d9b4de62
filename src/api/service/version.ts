import { Type } from '@sinclair/typebox'
import { version } from '../../version.ts'

export const versionRoute = {
  response: { 200: Type.Object({ version: Type.String({ examples: ['0.1.0'] }) }) },
  detail: {
    operationId: 'service.version',
    summary: 'Version of the server',
    description: 'Needs no key.',
    tags: ['Service'],
    security: [],
  },
}

export const readVersion = () => ({ version })
