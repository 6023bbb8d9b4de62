import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../../access/caller.ts'
import { ProjectPath, projectOfPath } from '../../../requests/project-path.ts'
import { Runtime, RuntimeName, RuntimePut } from '../../model/runtimes.ts'
import type { CompletionsServices } from '../services.ts'

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
  services: CompletionsServices,
  caller: Caller,
  params: Static<typeof putRuntimeRoute.params>,
  body: RuntimePut,
): Promise<Runtime> => services.runtimes.put(caller.write(projectOfPath(params)), params.runtime_name, body)
