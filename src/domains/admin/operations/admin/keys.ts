import { type Static, Type } from '@sinclair/typebox'
import { OpenObject } from '../../../../formats/schemas/members.ts'
import { DomainError } from '../../../../lib/errors.ts'
import type { Caller, KeyRecord } from '../../../access/index.ts'
import { ApiKey, ApiKeyCreate, ApiKeys, CreatedApiKey } from '../../model/admin.ts'
import type { AdminServices } from '../services.ts'

/** @throws DomainError Forbidden unless the caller is an admin with scope `*` */
export function requireOperator(caller: Caller): void {
  caller.requireOperator()
}

/** End of the descriptions of operations that call `requireOperator`. */
export const forOperators = 'Requires an admin key with scope `*`.'

const tags = ['Administration']

export const queryKeysRoute = {
  body: OpenObject({}),
  response: { 200: ApiKeys },
  detail: {
    operationId: 'keys.query',
    readOnly: true,
    summary: 'List API keys',
    description: `All keys ever created, without their secrets. ${forOperators}`,
    tags,
  },
}

export async function queryKeys({ access }: AdminServices, caller: Caller) {
  requireOperator(caller)
  const keys = await access.listKeys()
  return {
    keys: keys.map((key) => ({
      ...shown(key),
      last_used_at: access.lastUsedAt(key.id),
      is_own: key.id === caller.userId,
    })),
  }
}

export const createKeyRoute = {
  body: ApiKeyCreate,
  response: { 200: CreatedApiKey },
  detail: {
    operationId: 'keys.create',
    summary: 'Create an API key',
    description: `The key works at once. ${forOperators}`,
    tags,
  },
}

export async function createKey({ access }: AdminServices, caller: Caller, body: Static<typeof ApiKeyCreate>) {
  requireOperator(caller)
  const { record, text } = await access.createKey({ name: body.name, role: body.role, scope: body.scope ?? '*' })
  // The only response with a secret: it must stay out of caches.
  return Response.json({ ...shown(record), key: text }, { headers: { 'cache-control': 'no-store' } })
}

export const revokeKeyRoute = {
  body: OpenObject({ id: Type.String({ maxLength: 64 }) }),
  response: { 200: ApiKey },
  detail: {
    operationId: 'keys.revoke',
    summary: 'Revoke an API key',
    description:
      'The key is rejected from now on; what was written with it keeps its name. A key that is already revoked stays ' +
      `as it is. The key of the request itself cannot be revoked. ${forOperators}`,
    tags,
  },
}

export async function revokeKey(
  { access }: AdminServices,
  caller: Caller,
  { id }: Static<typeof revokeKeyRoute.body>,
): Promise<Static<typeof ApiKey>> {
  requireOperator(caller)
  if (id === caller.userId) {
    throw new DomainError(
      'InvalidRequest',
      `Revoke key "${id}": this request uses it; revoke it with another admin key`,
    )
  }
  return shown(await access.revokeKey(id))
}

const shown = ({ id, name, role, scope, created_at, revoked_at }: KeyRecord): Static<typeof ApiKey> => ({
  id,
  name,
  role,
  scope,
  created_at,
  revoked_at,
})
