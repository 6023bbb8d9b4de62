/** Splits bytes into lines and parses each; a line may span chunks. */
export async function* lineBatches<Row>(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Row[]> {
  let rest = ''
  for await (const text of bytes.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    const rows = lines.filter(Boolean).map((line) => JSON.parse(line) as Row)
    if (rows.length > 0) yield rows
  }
  if (rest.trim() !== '') yield [JSON.parse(rest) as Row]
}
