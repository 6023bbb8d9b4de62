import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { Runtime, RuntimeName, RuntimePut } from '../../model/runtimes.ts'
import type { Services } from '../../services.ts'
import { ProjectPath, projectOfPath } from '../project-path.ts'

export const putRuntimeRoute = {
  params: Type.Composite([ProjectPath, Type.Object({ runtime_name: RuntimeName })]),
  body: RuntimePut,
  response: { 200: Runtime },
  detail: {
    operationId: 'runtimes.put',
    idempotencyKey: true,
    summary: 'Configure a custom model endpoint',
    description:
      'Creates a Provider object and one ProviderModel object per model. Models that are not listed are ' +
      'deleted. Repeating the request has no further effect.',
    tags: ['Completions'],
  },
}

export const putRuntime = (
  services: Services,
  caller: Caller,
  params: Static<typeof putRuntimeRoute.params>,
  body: RuntimePut,
): Promise<Runtime> => services.runtimes.put(caller.write(projectOfPath(params)), params.runtime_name, body)
