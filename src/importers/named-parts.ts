import type { Part } from './source.ts'

/**
 * The same parts, whose errors say which file or page could not be read. A source may have
 * thousands of files, and the parsers do not know their names.
 */
export async function* namedParts(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  for await (const part of parts) yield { ...part, records: () => namedRecords(part) }
}

async function* namedRecords(part: Part): ReturnType<Part['records']> {
  try {
    yield* part.records()
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`Cannot read "${part.name}": ${message}`, { cause })
  }
}
