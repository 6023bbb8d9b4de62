import { byteStream } from '../../../../formats/wire/byte-stream.ts'
import type { Caller } from '../../../access/caller.ts'
import { describeJsonLines } from '../../../requests/json-lines.ts'
import type { CompletionPiece } from '../../completions.ts'
import { CompletionLine, CompletionRequest } from '../../model/completions.ts'
import type { CompletionsServices } from '../services.ts'
import { idsOf, questionOf } from './completion-question.ts'
import { createCompletionRoute } from './create-completion.ts'

const description =
  'JSON Lines: `{"_meta": {…}}` with the ids of the call if it is tracked, then the provider\'s ' +
  '`chat.completion.chunk` objects as they arrive; the last one carries the usage. An error is sent as a ' +
  'line `{"error": text}`, which ends the stream.'

export const streamCompletionRoute = {
  body: CompletionRequest,
  detail: {
    ...createCompletionRoute.detail,
    operationId: 'completions.createStream',
    summary: 'Create a completion (stream)',
    description,
    responses: describeJsonLines('Completion chunks, one per line', CompletionLine),
  },
}

/** @param nameOf names the members of the first line; the chunks are the provider's own */
export async function streamCompletion(
  services: CompletionsServices,
  caller: Caller,
  nameOf: (member: string) => string,
  body: CompletionRequest,
): Promise<Response> {
  const writer = caller.write(body.project_id)
  const abort = new AbortController()
  const pieces = services.completions.stream(writer, questionOf(body), { signal: abort.signal })
  return new Response(await byteStream(linesOf(pieces, nameOf), abort), {
    headers: { 'content-type': 'application/jsonl' },
  })
}

const encoder = new TextEncoder()

async function* linesOf(
  pieces: AsyncGenerator<CompletionPiece>,
  nameOf: (member: string) => string,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield encoder.encode(`${JSON.stringify(lineOf(piece, nameOf))}\n`)
}

function lineOf(piece: CompletionPiece, nameOf: (member: string) => string): object {
  switch (piece.kind) {
    case 'kept': {
      const ids = Object.entries(idsOf(piece.kept)).map(([name, id]) => [nameOf(name), id])
      return { _meta: Object.fromEntries(ids) }
    }
    case 'chunk':
      return piece.chunk
    case 'error':
      return { error: piece.error }
  }
}
