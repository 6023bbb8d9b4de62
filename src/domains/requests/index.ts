/**
 * Shared by the operations of all subjects: the request context, answers in lines, idempotency
 * keys. Other code imports this subject through this file.
 */

export { type BodyRoom, BodyRooms } from './body-room.ts'
export { BytesInFlight } from './bytes-in-flight.ts'
export { toErrorResponse } from './error-responses.ts'
export { describeFileForm, fileMissing, withFileForm } from './file-form.ts'
export { type Begun, Idempotency, type KeptAnswer, startKeySweep } from './idempotency/idempotency.ts'
export type { Streams } from './json-lines.ts'
export {
  describeJsonLines,
  jsonLinesResponse,
  jsonListResponse,
  jsonPiecesResponse,
  jsonTextResponse,
} from './json-lines.ts'
export { pageQuery, queryTexts, requiredQueryTexts } from './page-query.ts'
export { type BodyOptions, readBodyBytes, readJsonBody } from './request-body.ts'
export { requestContext } from './request-context.ts'
