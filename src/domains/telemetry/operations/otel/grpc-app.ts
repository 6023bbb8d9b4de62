import { encodeResponse, encodeRetryableError } from '../../../../formats/wire/otlp/encode-response.ts'
import { DomainError } from '../../../../lib/errors.ts'
import { requestLimits } from '../../../../lib/limits/requests.ts'
import { valueAt } from '../../../../lib/present.ts'
import { type GrpcApp, GrpcFailure, type GrpcRequest } from '../../../../runtime/http/grpc-call.ts'
import type { Log } from '../../../../runtime/log.ts'
import type { Caller } from '../../../access/index.ts'
import { type BodyRooms, BytesInFlight, toErrorResponse } from '../../../requests/index.ts'
import type { TelemetryServices } from '../index.ts'
import { grpcCodeOf, reasonOf } from './error-response.ts'
import { projectHeader, signals } from './signals.ts'

/** An answered call, for metrics and the log. `status` is that of the same over HTTP. */
interface AnsweredCall {
  readonly operation: string
  readonly path: string
  readonly headers: Headers
  readonly status: number
  readonly startedMs: number
}

export interface GrpcAppParts {
  readonly services: TelemetryServices
  readonly log: Log
  readonly bodyRooms: BodyRooms
  /** @throws DomainError Unauthorized, TooManyRequests */
  readonly authenticate: (request: GrpcRequest) => Promise<Caller>
  readonly onAnswered: (call: AnsweredCall) => void
}

/**
 * OpenTelemetry ingest over gRPC, with the services that also handle OTLP over HTTP. See
 * docs/decisions/095-otlp-over-grpc.md.
 */
export function createGrpcApp({ services, log, bodyRooms, authenticate, onAnswered }: GrpcAppParts): GrpcApp {
  const byPath = new Map(signals.map((signal) => [signal.grpcPath, signal]))
  // Counts messages. They count as arriving from before their first byte, because the size that a
  // message will have is unknown.
  const arriving = new BytesInFlight({
    what: 'gRPC messages',
    bytesMax: requestLimits.grpcArrivingMax,
    keyBytesMax: requestLimits.grpcArrivingPerKeyMax,
    waitMs: requestLimits.bodyRoomWaitMs,
    waitingMax: requestLimits.bodiesWaitingMax,
  })
  let underWay = 0

  const enter = async (request: GrpcRequest): Promise<{ caller: Caller; arrived: () => void }> => {
    if (underWay > requestLimits.grpcCallsMax) {
      throw new DomainError('Overloaded', 'Too many concurrent requests; try again in a moment')
    }
    const caller = await authenticate(request)
    caller.requireRole('write')
    return { caller, arrived: await arriving.take(caller.userId, 1) }
  }

  return {
    paths: [...byPath.keys()],
    enter: async (request) => {
      const signal = valueAt(byPath, request.path)
      const startedMs = performance.now()
      const answered = (status: number) =>
        onAnswered({ ...request, operation: `${signal.operations[0]}Grpc`, status, startedMs })
      const failing = async (error: unknown): Promise<never> => {
        const { failure, status } = await grpcFailureOf(error, log)
        answered(status)
        throw failure
      }
      underWay++
      const { caller, arrived } = await enter(request).catch(async (error: unknown) => {
        underWay--
        return await failing(error)
      })
      const room = bodyRooms.enter(caller.userId)
      const arrive = once(arrived)
      return {
        answer: async (bytes, isCancelled) => {
          try {
            arrive()
            await room.growText(bytes.byteLength)
            if (isCancelled()) throw new DomainError('RequestCancelled', 'The client has given up')
            const project = projectHeader(request.headers)
            const rejected = await signal.store(services, caller, { bytes, encoding: 'protobuf', project })
            answered(200)
            return encodeResponse(rejected)
          } catch (error) {
            return await failing(error)
          }
        },
        leave: () => {
          underWay--
          arrive()
          room.leave()
        },
      }
    },
  }
}

/** A function that does something the first time it is called. */
function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

/** Paths of the methods, before the services are open. */
export const grpcPaths: readonly string[] = signals.map(({ grpcPath }) => grpcPath)

/** Converts an error to its gRPC status, with the HTTP status it would have. */
export async function grpcFailureOf(error: unknown, log: Log): Promise<{ failure: GrpcFailure; status: number }> {
  const response = toErrorResponse(error, log)
  const reason = await reasonOf(response)
  const code = grpcCodeOf(response.status)
  const retryAfter = response.headers.get('retry-after')
  const details = retryAfter === null ? undefined : encodeRetryableError(code, reason, Number(retryAfter))
  return { failure: new GrpcFailure(code, reason, details), status: response.status }
}
