import { lookup } from 'node:dns/promises'

/** Addresses of a host, as the system resolves it. @throws Error where it has none */
export async function resolveHost(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/**
 * `fetch` for requests to other servers: it follows no redirect, and lets an answer take as long as its signal allows (Bun would give up
 * after five minutes).
 */
export function fetchOutside(url: string, init: RequestInit): Promise<Response> {
  return globalThis.fetch(url, { ...init, redirect: 'manual', timeout: false } as RequestInit)
}
