import { responseLimits } from '../../lib/limits/responses.ts'

/** How texts are joined: JSON Lines, or elements of an array. */
export interface Framing {
  readonly before: string
  readonly between: string
  readonly after: string
  /** Appended to every text. */
  readonly end: string
}

export const jsonLines: Framing = { before: '', between: '', after: '', end: '\n' }
/**
 * An object whose last member is a list.
 * @param beside members before it
 */
export const jsonMember = (name: string, beside: Readonly<Record<string, unknown>> = {}): Framing => ({
  before: `${JSON.stringify({ ...beside, [name]: [] }).slice(0, -2)}`,
  between: ',',
  after: ']}',
  end: '',
})
/** Pieces of one text. */
export const plainTexts: Framing = { before: '', between: '', after: '', end: '' }

/** UTF-8 bytes of framed texts in pieces of about half a megabyte. */
export async function* encodeTexts(
  batches: AsyncGenerator<readonly string[]>,
  framing: Framing,
): AsyncGenerator<Uint8Array> {
  let text = framing.before
  let isFirst = true
  for await (const batch of batches) {
    for (const item of batch) {
      text += isFirst ? item + framing.end : framing.between + item + framing.end
      isFirst = false
      if (text.length >= responseLimits.streamChunkBytes) {
        yield encoder.encode(text)
        text = ''
      }
    }
  }
  text += framing.after
  if (text.length > 0) yield encoder.encode(text)
}

const encoder = new TextEncoder()
