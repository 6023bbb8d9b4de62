import { type Static, Type } from '@sinclair/typebox'
import { OpenObject } from '../../../../formats/schemas/members.ts'
import { DomainError, quoted } from '../../../../lib/errors.ts'
import { parseTime } from '../../../../lib/time.ts'
import type { Caller, KeyRecord } from '../../../access/index.ts'
import { ApiKey, ApiKeyCreate, ApiKeyRotate, ApiKeys, CreatedApiKey, RotatedApiKey } from '../../model/admin.ts'
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
    description: `The key works at once, and until \`expires_at\`. ${forOperators}`,
    tags,
  },
}

export async function createKey({ access }: AdminServices, caller: Caller, body: Static<typeof ApiKeyCreate>) {
  requireOperator(caller)
  const { name, role, scope = '*', expires_at } = body
  const { record, text } = await access.createKey({ name, role, scope, expiresMs: msOf(expires_at) })
  // A response with a secret must stay out of caches.
  return Response.json({ ...shown(record), key: text }, { headers: { 'cache-control': 'no-store' } })
}

export const rotateKeyRoute = {
  body: ApiKeyRotate,
  response: { 200: RotatedApiKey },
  detail: {
    operationId: 'keys.rotate',
    summary: 'Replace an API key by a new one',
    description:
      'The new key has the name, the role and the scope of the old one, which works for `overlap_seconds` more. ' +
      `Links shared with the old key stay valid. ${forOperators}`,
    tags,
  },
}

export async function rotateKey({ access }: AdminServices, caller: Caller, body: Static<typeof ApiKeyRotate>) {
  requireOperator(caller)
  const { id, overlap_seconds, expires_at } = body
  const overlapMs = (overlap_seconds ?? 0) * 1000
  const { record, text, replaced } = await access.rotateKey(id, { overlapMs, expiresMs: msOf(expires_at) })
  return Response.json(
    { ...shown(record), key: text, replaced: shown(replaced) },
    { headers: { 'cache-control': 'no-store' } },
  )
}

/** Milliseconds since 1970; undefined if there is no time. @throws DomainError InvalidRequest */
function msOf(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined) return undefined
  const micros = parseTime(text)
  if (micros === undefined) throw new DomainError('InvalidRequest', `Invalid time ${quoted(text)}: use ISO 8601`)
  return micros / 1000
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

const shown = (key: KeyRecord): Static<typeof ApiKey> => ({
  id: key.id,
  name: key.name,
  role: key.role,
  scope: key.scope,
  created_at: key.created_at,
  revoked_at: key.revoked_at,
  expires_at: key.expires_at ?? null,
  replaced_by: key.replaced_by ?? null,
})
