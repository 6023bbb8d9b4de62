import type { Caller } from '../../foundation/access/caller.ts'
import { ImageAnswer, ImageRequest } from '../../model/images.ts'
import type { Services } from '../../services.ts'

const description = `Asks a model for pictures. Where the generation is kept as a call, the pictures are files of the project: in place of \`b64_json\` and
\`url\` stands a content whose \`files.content\` is what \`/file/content\` takes. What goes wrong is in \`response.error\`; the answer is still 200.`

export const createImageRoute = {
  body: ImageRequest,
  response: { 200: ImageAnswer },
  detail: { operationId: 'images.create', summary: 'Ask a model for pictures', description, tags: ['Images'] },
}

export async function createImage(
  services: Services,
  caller: Caller,
  signal: AbortSignal,
  { project_id, inputs, track_llm_call }: ImageRequest,
): Promise<ImageAnswer> {
  const question = { inputs, track: track_llm_call ?? true }
  const { response, callId } = await services.images.create(caller.write(project_id), question, { signal })
  return { response, ext_call_id: callId }
}
