import type { Config } from '../runtime/config/configuration.ts'
import type { GrpcApp, GrpcListener } from '../runtime/http/grpc-listener.ts'
import type { Log } from '../runtime/log.ts'

/** The port on which exporters expect OTLP over gRPC. */
const usualPort = 4317

/**
 * Listens for gRPC as configured. If no port was asked for and the usual one cannot be had, the
 * server runs without gRPC, or on any free port if `isAnyPortFine`: another collector on the
 * machine must not keep it from starting.
 *
 * @throws Error if the configured address is in use or does not exist
 */
export async function openGrpc(
  { host, grpcPort, bodyBytesMax }: Config,
  app: GrpcApp,
  log: Log,
  { isAnyPortFine = false }: { readonly isAnyPortFine?: boolean } = {},
): Promise<GrpcListener | undefined> {
  if (grpcPort === 'off') return undefined
  // Imported lazily: it takes time to load.
  const { listenGrpc } = await import('../runtime/http/grpc-listener.ts')
  const listenOn = (port: number) => listenGrpc({ host, port, app, messageBytesMax: bodyBytesMax })
  if (grpcPort !== 'auto') return await listenOn(grpcPort)
  try {
    return await listenOn(usualPort)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const outcome = isAnyPortFine ? 'gRPC takes any free port' : 'gRPC is off'
    log.warn({ port: usualPort }, `${outcome} (port ${usualPort}: ${why}); --grpc-port chooses one`)
    return isAnyPortFine ? await listenOn(0) : undefined
  }
}
