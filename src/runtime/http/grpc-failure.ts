/** Ends a gRPC call with an error. */
export class GrpcFailure extends Error {
  override readonly name = 'GrpcFailure'
  readonly code: number
  /** Encoded google.rpc.Status with details, if there are any. */
  readonly details: Uint8Array | undefined

  /** @param message shown to the client */
  constructor(code: number, message: string, details?: Uint8Array) {
    super(message)
    this.code = code
    this.details = details
  }
}
