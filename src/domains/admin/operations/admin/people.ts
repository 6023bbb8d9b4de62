import { type Static, Type } from '@sinclair/typebox'
import { OpenObject } from '../../../../formats/schemas/members.ts'
import { DomainError, quoted } from '../../../../lib/errors.ts'
import type { Caller } from '../../../access/index.ts'
import { People } from '../../model/people.ts'
import type { AdminServices } from '../services.ts'
import { forOperators, requireOperator } from './keys.ts'

const tags = ['Administration']

export const queryPeopleRoute = {
  body: OpenObject({}),
  response: { 200: People },
  detail: {
    operationId: 'people.query',
    readOnly: true,
    summary: 'List the people who have signed in',
    description: `Through the OpenID provider; users of API keys are not among them. ${forOperators}`,
    tags,
  },
}

export function queryPeople({ access, logins }: AdminServices, caller: Caller): Static<typeof People> {
  requireOperator(caller)
  const open = logins.sessions.ofAccounts()
  return {
    people: access.accounts.list().map(({ subject: _subject, ...account }) => ({
      ...account,
      groups: [...(open.get(account.id)?.groups ?? [])],
      sessions: open.get(account.id)?.sessions ?? 0,
      is_own: account.id === caller.userId,
    })),
  }
}

export const signOutPersonRoute = {
  body: OpenObject({ id: Type.String({ maxLength: 64 }) }),
  response: { 200: Type.Object({ sessions: Type.Integer({ description: 'Number of sessions that were ended' }) }) },
  detail: {
    operationId: 'people.signOut',
    summary: 'End the sessions of a person',
    description:
      'The person may sign in again for as long as the provider lets them: remove them from its groups to keep them ' +
      `out. ${forOperators}`,
    tags,
  },
}

export async function signOutPerson(
  { access, logins }: AdminServices,
  caller: Caller,
  { id }: Static<typeof signOutPersonRoute.body>,
) {
  requireOperator(caller)
  if (access.accounts.find(id) === undefined)
    throw new DomainError('NotFound', `There is no person with id ${quoted(id)}`)
  return { sessions: await logins.sessions.endOfAccount(id) }
}
