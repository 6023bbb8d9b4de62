import type { Static } from '@sinclair/typebox'
import { Empty } from '../../../../formats/schemas/empty.ts'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import type { Caller } from '../../../access/caller.ts'
import type { SecretRecord } from '../../../access/secrets/secret-file.ts'
import { SecretName, SecretNames, SecretRemove, SecretSet } from '../../model/admin.ts'
import type { AdminServices } from '../services.ts'
import { forOperators, requireOperator } from './require-operator.ts'

const tags = ['Administration']

export const querySecretsRoute = {
  body: OpenObject({}),
  response: { 200: SecretNames },
  detail: {
    operationId: 'secrets.query',
    readOnly: true,
    summary: 'List the secrets of model providers',
    description: `Their names, never their values. ${forOperators}`,
    tags,
  },
}

export async function querySecrets({ secrets }: AdminServices, caller: Caller) {
  requireOperator(caller)
  return { secrets: (await secrets.list()).map(shown) }
}

export const setSecretRoute = {
  body: SecretSet,
  response: { 200: SecretName },
  detail: {
    operationId: 'secrets.set',
    summary: 'Set a secret of a model provider',
    description: `Replaces the value of the same name and scope, if there is one. ${forOperators}`,
    tags,
  },
}

export async function setSecret({ secrets }: AdminServices, caller: Caller, body: Static<typeof SecretSet>) {
  requireOperator(caller)
  const { name, scope = '*', hosts, value } = body
  return shown(await secrets.set({ name, scope, hosts: hosts ?? [], value }))
}

export const removeSecretRoute = {
  body: SecretRemove,
  response: { 200: Empty },
  detail: {
    operationId: 'secrets.remove',
    summary: 'Remove a secret of a model provider',
    description: forOperators,
    tags,
  },
}

export async function removeSecret({ secrets }: AdminServices, caller: Caller, body: Static<typeof SecretRemove>) {
  requireOperator(caller)
  await secrets.remove({ name: body.name, scope: body.scope ?? '*' })
  return {}
}

const shown = ({ name, scope, hosts, created_at }: SecretRecord): SecretName => ({
  name,
  scope,
  hosts: [...hosts],
  updated_at: created_at,
})
