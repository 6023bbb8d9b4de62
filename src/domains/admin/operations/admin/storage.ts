import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../../access/caller.ts'
import { Storage, StorageRequest } from '../../model/admin.ts'
import type { AdminServices } from '../services.ts'
import { forOperators, requireOperator } from './require-operator.ts'

export const storageRoute = {
  body: StorageRequest,
  response: { 200: Storage },
  detail: {
    operationId: 'service.storage',
    readOnly: true,
    summary: 'Get the storage used by tables and projects',
    description: forOperators,
    tags: ['Administration'],
  },
}

export function storage(
  services: AdminServices,
  caller: Caller,
  { signal }: Request,
  { limit }: Static<typeof storageRoute.body>,
) {
  requireOperator(caller)
  return services.storage.usage(caller.readProjects(), limit ?? undefined, signal)
}
