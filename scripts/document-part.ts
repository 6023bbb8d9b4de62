/** A part of a document that a command writes, between two lines that name it. */
interface DocumentPart {
  readonly name: string
  /** Script of package.json that writes it. */
  readonly command: string
}

/**
 * `document` with `text` as the part.
 *
 * @throws Error if the lines that delimit the part are missing
 */
export function withPart(document: string, { name, command }: DocumentPart, text: string): string {
  const begin = `<!-- ${name}: begin; "scripts/bun run ${command}" writes this part -->`
  const end = `<!-- ${name}: end -->`
  const [from, to] = [document.indexOf(begin), document.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`Write the part ${name}: the lines "${begin}" and "${end}" are missing`)
  return `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`
}
