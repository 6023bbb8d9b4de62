import { datasetLimits } from '../../../lib/limits/datasets.ts'
import { TimeSlice } from '../../../runtime/platform/event-loop.ts'
import { readChunks } from '../../../runtime/platform/files/file-chunks.ts'
import type { Faults } from './faults.ts'

/** A received file. */
export interface ReceivedFile {
  readonly path: string
  readonly bytes: number
}

/** A text file, or the beginning of one. */
export interface TextFile {
  readonly encoding: string
  readonly hasMark: boolean
  /** Whether an empty text in quotes may occur. */
  hasQuotedEmpty: boolean
  /** Bytes that are read. */
  readonly end: number
  readonly isWhole: boolean
  /** Its text in pieces, without the byte order mark. */
  texts(): AsyncGenerator<string>
}

const marks = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const

/**
 * Opens a text file and reads it once to check its encoding: a byte that is no text of the encoding
 * is a fault.
 *
 * @param isSample whether only its beginning is read
 */
export async function openText(
  file: ReceivedFile,
  { encoding, isSample }: { encoding: string | null | undefined; isSample: boolean },
  faults: Faults,
): Promise<TextFile> {
  const start = await firstBytes(file)
  const mark = marks.find(({ bytes }) => bytes.every((byte, at) => start[at] === byte))
  const chosen = encoding ?? mark?.encoding ?? 'utf-8'
  const isWhole = !isSample || file.bytes <= datasetLimits.sampleBytes
  const end = isWhole ? file.bytes : datasetLimits.sampleBytes
  const opened: TextFile = {
    encoding: chosen,
    hasMark: mark !== undefined,
    hasQuotedEmpty: false,
    end,
    isWhole,
    texts: () => decoded({ file, end, isWhole, encoding: chosen }),
  }
  let line = 1
  let last = ''
  const slice = new TimeSlice()
  try {
    for await (const text of opened.texts()) {
      opened.hasQuotedEmpty ||= quotedEmpty.test(last + text) || text.length < 4
      last = text.slice(-3)
      line += linesIn(text)
      await slice.yieldIfExpired()
    }
  } catch (cause) {
    if (!(cause instanceof Undecodable)) throw cause
    const hint = chosen === 'utf-8' ? '; choose the encoding of the file, for example windows-1252' : ''
    const at = line + linesIn(cause.before)
    faults.add(at, null, cause.around, `the bytes are not ${chosen.toUpperCase()}${hint}`)
  }
  return opened
}

/** Two equal quotes between what may be delimiters, which are neither letters nor spaces. */
const quotedEmpty = /(?:^|[^\w "'])(?:""|'')(?:[^\w "']|$)/

export const lineEnd = /\r\n|\n|\r/g
const linesIn = (text: string): number => {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** Bytes that are no text of an encoding. */
class Undecodable extends Error {
  readonly before: string
  /** The text around, with a replacement character. */
  readonly around: string

  constructor(before: string, around: string) {
    super('The bytes are not text of the encoding')
    this.before = before
    this.around = around
  }
}

async function firstBytes({ path, bytes }: ReceivedFile): Promise<Uint8Array> {
  for await (const piece of readChunks(path, 0, Math.min(4, bytes))) return piece
  return new Uint8Array()
}

async function* decoded({
  file,
  end,
  isWhole,
  encoding,
}: {
  file: ReceivedFile
  end: number
  isWhole: boolean
  encoding: string
}): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding as 'utf-8', { fatal: true })
  for await (const piece of readChunks(file.path, 0, end)) {
    let text: string
    try {
      text = decoder.decode(piece, { stream: true })
    } catch (cause) {
      if (!(cause instanceof TypeError)) throw cause
      throw undecodable(piece, encoding)
    }
    if (text !== '') yield text
  }
  if (!isWhole) return
  try {
    const rest = decoder.decode()
    if (rest !== '') yield rest
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    throw new Undecodable('', '\ufffd')
  }
}

/** Finds the first wrong byte in a piece, which may begin in the middle of a character. */
function undecodable(piece: Uint8Array, encoding: string): Undecodable {
  const text = new TextDecoder(encoding as 'utf-8').decode(piece)
  const at = Math.max(0, text.indexOf('\ufffd', text.startsWith('\ufffd') && piece.length > 4 ? 4 : 0))
  return new Undecodable(text.slice(0, at), text.slice(Math.max(0, at - 20), at + 20))
}
