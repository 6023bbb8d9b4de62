import { TrustedProxies } from '../platform/client-address.ts'
import { ConfigError } from './config-error.ts'
import type { Config } from './configuration.ts'

/** @throws ConfigError */
export function trustedProxies(text: string): TrustedProxies {
  const entries = text.split(',').map((entry) => entry.trim())
  try {
    return new TrustedProxies(entries.filter((entry) => entry !== ''))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError(`TRACELAKE_TRUSTED_PROXIES must be a comma-separated list of addresses and networks: ${why}`)
  }
}

/**
 * The base path is that of the public URL, or stands by itself.
 *
 * @throws ConfigError
 */
export function publicAddress(
  publicUrl: string | undefined,
  givenPath: string | undefined,
): Pick<Config, 'basePath' | 'publicUrl'> {
  const url = publicUrl === undefined ? undefined : URL.parse(publicUrl)
  if (url === null || url?.search || url?.hash)
    throw new ConfigError(`TRACELAKE_PUBLIC_URL must be an http or https URL without query, not "${publicUrl}"`)
  const urlPath = url?.pathname.replace(/\/+$/, '') ?? ''
  const basePath = givenPath?.replace(/^(?=[^/])/, '/').replace(/\/+$/, '') ?? urlPath
  if (!/^(?:\/[\w.~-]+)*$/.test(basePath) || /\/\.\.?(?:\/|$)/.test(basePath))
    throw new ConfigError(
      `--base-path must be a path such as /tracelake, of letters, digits and "-", ".", "_", "~", not "${basePath}"`,
    )
  if (urlPath !== '' && urlPath !== basePath)
    throw new ConfigError(
      `--base-path is "${basePath}", but TRACELAKE_PUBLIC_URL ends in "${urlPath}"; give one of them`,
    )
  return { basePath, publicUrl: url && `${url.origin}${basePath}` }
}

/**
 * A server on any free port is one of several on a machine, so it does not take the port that
 * exporters expect.
 *
 * @throws ConfigError
 */
export function grpcPortOf(port: number, given: string | undefined): Config['grpcPort'] {
  if (given === undefined) return port === 0 ? 0 : 'auto'
  if (given === 'off' || given === 'auto') return given
  const value = Number(given)
  if (!/^\d+$/.test(given) || value > 65_535) {
    throw new ConfigError(`--grpc-port must be an integer from 0 to 65535, "auto" or "off", not "${given}"`)
  }
  return value
}
