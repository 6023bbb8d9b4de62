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
    summary: 'Set an endpoint with models of your own',
    description:
      'Makes a Provider object and a ProviderModel object for each model; models that are not listed are deleted. The same request again ' +
      'changes nothing.',
    tags: ['Completions'],
  },
}

export const putRuntime = (
  services: Services,
  caller: Caller,
  params: Static<typeof putRuntimeRoute.params>,
  body: RuntimePut,
): Promise<Runtime> => services.runtimes.put(caller.write(projectOfPath(params)), params.runtime_name, body)
