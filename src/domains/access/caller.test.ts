import { describe, expect, test } from 'bun:test'
import { Caller, type Grant } from './caller.ts'

const person = (...grants: Grant[]): Caller => new Caller({ userId: 'u', userName: 'U', credential: 'account', grants })

describe('a caller with several grants', () => {
  const caller = person(
    { role: 'read', scope: '*' },
    { role: 'write', scope: 'acme' },
    { role: 'admin', scope: 'acme/bot' },
  )

  test('may write only where a grant says so', () => {
    expect(caller.write('acme/shop').projectId).toBe('acme/shop')
    expect(caller.write('acme/bot').projectId).toBe('acme/bot')
    expect(() => caller.write('other/bot')).toThrow('requires the role "write"; the account has "read"')
    expect(caller.read('other/bot').projectId).toBe('other/bot')
  })

  test('has the highest role, and every project if one grant covers them all', () => {
    expect(caller.role).toBe('admin')
    expect(caller.scopes).toEqual(['*'])
  })

  test('does not administer the server unless one grant has both the role and all projects', () => {
    expect(() => caller.requireOperator()).toThrow('requires the role "admin"; the account has "read"')
    expect(() => person({ role: 'admin', scope: '*' }).requireOperator()).not.toThrow()
    expect(() => person({ role: 'admin', scope: 'acme' }).requireOperator()).toThrow('requires an account with scope')
  })
})

test('scopes of several grants add up', () => {
  const caller = person(
    { role: 'read', scope: 'acme' },
    { role: 'write', scope: 'lab/x' },
    { role: 'read', scope: 'acme' },
  )
  expect(caller.scopes).toEqual(['acme', 'lab/x'])
  expect(caller.reaches('acme/any')).toBe(true)
  expect(caller.reaches('lab/x')).toBe(true)
  expect(caller.reaches('lab/y')).toBe(false)
  expect(() => caller.read('lab/y')).toThrow('This account has no access to the project')
})
