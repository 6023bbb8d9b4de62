import { expect } from 'bun:test'
import type { Answer } from './client.ts'

export interface Violation {
  loc: string[]
  msg: string
  type: string
}

/**
 * Expects an error response with `status` in the uniform format, whose reason contains all of
 * `words`.
 */
export function expectRefusal(answer: Answer<unknown>, status: number, ...words: string[]): void {
  expect(`${answer.status} ${answer.text}`).toStartWith(`${status} `)
  const body = answer.json as { reason?: unknown; error_type?: unknown } | undefined
  expect(body?.reason).toBeString()
  expect(body?.error_type).toBeString()
  for (const word of words) expect(String(body?.reason)).toContain(word)
}

/**
 * Expects a 422 about the form of the request, with a violation at each of `places`.
 */
export function expectInvalid(answer: Answer<unknown>, ...places: string[][]): void {
  const detail = violationsIn(answer)
  for (const place of places) expect(detail.map(({ loc }) => loc)).toContainEqual(place)
}

function violationsIn(answer: Answer<unknown>): Violation[] {
  expect(`${answer.status} ${answer.text}`).toStartWith('422 ')
  const detail = (answer.json as { detail: Violation[] }).detail
  expect(detail).toBeArray()
  expect(detail.length).toBeGreaterThan(0)
  for (const { loc, msg, type } of detail) {
    expect(loc.every((segment) => typeof segment === 'string')).toBe(true)
    expect(msg).toBeString()
    expect(type).toBeString()
  }
  return detail
}
