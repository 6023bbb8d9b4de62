import type { Config } from '../config/configuration.ts'
import type { GrpcApp, GrpcListener } from '../http/grpc-listener.ts'
import type { Log } from '../log.ts'

/** The port on which exporters expect OTLP over gRPC. */
const usualPort = 4317

/**
 * Listens for gRPC as configured. If no port was asked for and the usual one is taken, the server
 * runs without gRPC: another collector on the machine must not keep it from starting.
 *
 * @throws Error if the configured address is in use or does not exist
 */
export async function openGrpc(
  { host, grpcPort, bodyBytesMax }: Config,
  app: GrpcApp,
  log: Log,
): Promise<GrpcListener | undefined> {
  if (grpcPort === 'off') return undefined
  // Imported lazily: it takes time to load.
  const { listenGrpc } = await import('../http/grpc-listener.ts')
  const options = { host, app, messageBytesMax: bodyBytesMax }
  if (grpcPort !== 'auto') return await listenGrpc({ ...options, port: grpcPort })
  try {
    return await listenGrpc({ ...options, port: usualPort })
  } catch (err) {
    log.warn({ err, port: usualPort }, 'gRPC is off: its port is in use; choose another one with --grpc-port')
    return undefined
  }
}
