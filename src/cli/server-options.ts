import type { Command } from 'commander'
import { DomainError } from '../lib/errors.ts'
import { present } from '../lib/present.ts'
import { ConfigError } from '../runtime/config/config-error.ts'
import { environmentVariable } from '../runtime/platform/runtime.ts'

/** Where a command works: on a folder that no server has open, or through a server. */
export interface PlaceOptions {
  readonly data?: string
  readonly to?: string
  readonly key?: string
}

/** Adds the options of `PlaceOptions`. */
export const withPlaceOptions = (command: Command): Command =>
  command
    .option('--data <folder>', 'data folder that no server has open (TRACELAKE_DATA, default ./data)')
    .option('--to <url>', 'address of a running server, instead of a folder')
    .option('--key <key>', 'admin API key of that server (default: TRACELAKE_KEY)')

/**
 * Calls an operation of the server that the options name.
 *
 * @throws ConfigError if it cannot be reached; DomainError InvalidRequest with the reason of a
 *   refusal
 */
export async function callServer<T>({ to, key }: PlaceOptions, path: string, body: object): Promise<T> {
  const bearer = key ?? environmentVariable('TRACELAKE_KEY')
  const headers = { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) }
  const address = `${present(to, 'The address of the server').replace(/\/+$/, '')}${path}`
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => {
    throw new ConfigError(`cannot reach ${address}`)
  })
  const text = await response.text()
  if (!response.ok) {
    throw new DomainError('InvalidRequest', reasonIn(text) ?? `${address} answered ${response.status}`)
  }
  const answer: T = JSON.parse(text)
  return answer
}

/** Why a server refused, as its answer says; undefined if something else answered. */
function reasonIn(text: string): string | undefined {
  try {
    const answer: { readonly reason?: string } = JSON.parse(text)
    return answer.reason
  } catch {
    return undefined
  }
}
