import type { Command } from 'commander'
import { DomainError } from '../lib/errors.ts'
import { present } from '../lib/present.ts'
import { ConfigError } from '../runtime/config/config-error.ts'
import { environmentVariable } from '../runtime/platform/runtime.ts'
import { type PlaceOptions, withPlace } from './place.ts'

/** Where a command works: on a folder or lake that no server has open, or through a server. */
export interface ServedPlaceOptions extends PlaceOptions {
  readonly to?: string
  readonly key?: string
}

/** Adds the options of `ServedPlaceOptions`. */
export const withServedPlace = (command: Command): Command =>
  withPlace(command)
    .option('--to <url>', 'address of a running server, instead of a folder or lake')
    .option('--key <key>', 'admin API key of that server (default: TRACELAKE_KEY)')

/**
 * Calls an operation of the server that the options name.
 *
 * @throws ConfigError if it cannot be reached; DomainError InvalidRequest with the reason of a
 *   refusal
 */
export async function callServer<T>({ to, key }: ServedPlaceOptions, path: string, body: object): Promise<T> {
  const bearer = key ?? environmentVariable('TRACELAKE_KEY')
  const headers = { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) }
  const address = `${present(to, 'The address of the server').replace(/\/+$/, '')}${path}`
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => {
    throw new ConfigError(`cannot reach ${address}`)
  })
  const answer: (T & { readonly reason?: string }) | undefined = parsed(await response.text())
  if (!response.ok) throw new DomainError('InvalidRequest', answer?.reason ?? `${address} answered ${response.status}`)
  if (answer === undefined) throw new ConfigError(`${address} did not respond with JSON: is it a tracelake server?`)
  return answer
}

/** The JSON of an answer; undefined if it is none. */
function parsed<T>(text: string): T | undefined {
  try {
    const value: T = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
