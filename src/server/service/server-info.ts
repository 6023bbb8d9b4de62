import { Type } from '@sinclair/typebox'
import { version } from '../../lib/version.ts'

/** Minimum version of the Python SDK; older ones ask their user to upgrade. */
const minRequiredPythonVersion = '0.51.0'

export const serverInfoRoute = {
  response: {
    200: Type.Object({ min_required_ext_python_version: Type.String(), trace_server_version: Type.String() }),
  },
  detail: {
    operationId: 'service.serverInfo',
    summary: 'Get version requirements for clients',
    tags: ['Service'],
  },
}

export const serverInfo = () => ({
  min_required_ext_python_version: minRequiredPythonVersion,
  trace_server_version: version,
})
