import { Client, compressionAlgorithms, credentials, Metadata } from '@grpc/grpc-js'

/** How a call ended: code 0 with the response, or another code with what the server says. */
export interface GrpcAnswer {
  readonly code: number
  readonly message: string
  readonly bytes: Uint8Array
  /** Encoded google.rpc.Status, if the server sent one. */
  readonly details: Uint8Array | undefined
}

export interface GrpcOptions {
  readonly path?: string
  readonly metadata?: Readonly<Record<string, string>>
  readonly deadlineMs?: number
  readonly isCompressed?: boolean
}

export const tracesPath = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'
export const metricsPath = '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export'
export const logsPath = '/opentelemetry.proto.collector.logs.v1.LogsService/Export'

const asIs = (bytes: Buffer): Buffer => bytes

/** Calls unary methods with encoded messages. The caller closes it. */
export class GrpcClient {
  private readonly plain: Client
  private readonly compressing: Client

  /** @param address `host:port` */
  constructor(address: string) {
    const credential = credentials.createInsecure()
    this.plain = new Client(address, credential, { 'grpc.max_send_message_length': -1 })
    this.compressing = new Client(address, credential, {
      'grpc.default_compression_algorithm': compressionAlgorithms.gzip,
      'grpc.max_send_message_length': -1,
    })
  }

  async call(message: Uint8Array, options: GrpcOptions = {}): Promise<GrpcAnswer> {
    const { path = tracesPath, metadata = {}, deadlineMs = 60_000, isCompressed = false } = options
    const sent = new Metadata()
    for (const [name, value] of Object.entries(metadata)) sent.set(name, value)
    const client = isCompressed ? this.compressing : this.plain
    const deadline = Date.now() + deadlineMs
    return await new Promise((resolve) => {
      client.makeUnaryRequest(path, asIs, asIs, Buffer.from(message), sent, { deadline }, (error, bytes) => {
        const [details] = error?.metadata.get('grpc-status-details-bin') ?? []
        resolve({
          code: error?.code ?? 0,
          message: error?.details ?? '',
          bytes: bytes ?? new Uint8Array(),
          details: details as Uint8Array | undefined,
        })
      })
    })
  }

  close(): void {
    this.plain.close()
    this.compressing.close()
  }
}
