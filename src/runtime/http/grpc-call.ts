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

/** Facts about a call before its message arrives. */
export interface GrpcRequest {
  /** `/package.Service/Method` */
  readonly path: string
  /** The metadata, without binary entries. */
  readonly headers: Headers
  /** The host that the client requested. */
  readonly authority: string
  /** Address of the peer. */
  readonly ip: string
}

/** A call whose message may arrive. */
export interface GrpcCall {
  /**
   * Processes the message and returns the response. @throws GrpcFailure
   *
   * @param isCancelled whether the client has given up, or its deadline has passed
   */
  answer(message: Uint8Array, isCancelled: () => boolean): Promise<Uint8Array>
  /** Called once, when the call is over, whatever became of it. */
  leave(): void
}

/** An application of unary methods whose messages stay encoded. */
export interface GrpcApp {
  /** `/package.Service/Method` of each. */
  readonly paths: readonly string[]
  /**
   * Lets a call in, before any of its message is read.
   *
   * @throws GrpcFailure to end the call
   */
  enter(request: GrpcRequest): Promise<GrpcCall>
}
