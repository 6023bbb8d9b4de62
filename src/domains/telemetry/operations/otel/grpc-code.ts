/**
 * gRPC codes by HTTP status
 * (https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto).
 */
const codes: Readonly<Record<number, number>> = {
  401: 16,
  403: 7,
  404: 5,
  408: 4,
  413: 8,
  429: 8,
  499: 1,
  500: 13,
  501: 12,
  502: 14,
  503: 14,
  504: 4,
  507: 14,
}
const invalidArgument = 3

export const grpcCodeOf = (status: number): number => codes[status] ?? invalidArgument
