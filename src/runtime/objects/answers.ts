/** The first characters of an answer; the rest is not read. */
export async function firstText(answer: Response, charsMax: number): Promise<string> {
  if (answer.body === null) return ''
  const reader = answer.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (text.length < charsMax) {
    const { value, done } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
  }
  await reader.cancel()
  return text.slice(0, charsMax)
}

/**
 * The whole body of an answer.
 *
 * @throws Error if it ends before the length that its header promises
 */
export async function wholeAnswer(answer: Response): Promise<Uint8Array> {
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const promised = answer.headers.get('content-length')
  if (promised !== null && answer.headers.get('content-encoding') === null && Number(promised) !== bytes.length)
    throw new Error(`the answer ended after ${bytes.length} of ${promised} bytes`)
  return bytes
}
