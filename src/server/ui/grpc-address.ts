import type { Config } from '../../runtime/config/configuration.ts'
import { isLoopbackHost } from '../../runtime/platform/loopback.ts'

/**
 * Where OpenTelemetry exporters reach the gRPC port, for example `http://127.0.0.1:4317`; null if
 * the server does not listen for gRPC.
 *
 * `TRACELAKE_GRPC_URL` states it where a proxy stands in front. Otherwise it is the port of this
 * server, which speaks no TLS, at the host by which the browser knows the server; at a loopback
 * address if the port can be reached from nowhere else.
 *
 * @param listening address with the port that the server listens on, for example `127.0.0.1:4317`
 */
export function grpcUrlOf(
  { grpcUrl }: Pick<Config, 'grpcUrl'>,
  listening: string | undefined,
  browserOrigin: string,
): string | null {
  if (listening === undefined) return null
  if (grpcUrl !== undefined) return grpcUrl
  const { hostname, port } = new URL(`http://${listening}`)
  const host = isLoopbackHost(hostname) ? loopbackName(hostname, browserOrigin) : new URL(browserOrigin).hostname
  return `http://${host}:${port || '80'}`
}

/** The browser's own name for this machine, such as `localhost`, if it uses one. */
function loopbackName(hostname: string, browserOrigin: string): string {
  const asked = new URL(browserOrigin).hostname
  return isLoopbackHost(asked) ? asked : hostname
}
