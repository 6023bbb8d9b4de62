import { findObjectRef, type ObjectRef } from '../../../formats/dialect/parsed-ref.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { requestLimits } from '../../../lib/limits/requests.ts'
import { looksLikeDigest } from '../../../runtime/digest.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { Files } from '../../files/index.ts'
import type { Objects } from '../objects.ts'

/** File in which the SDKs keep the source of an op or class. */
export const sourceName = 'obj.py'

/**
 * Possible location of a version's source: in the files of its content, else in the op at a ref.
 */
export interface SourcePlace {
  readonly val: unknown
  readonly opRef?: unknown
}

/** Reads the sources of versions. */
export class SourceFiles {
  private readonly objects: Objects
  private readonly files: Files

  constructor({ objects, files }: { objects: Objects; files: Files }) {
    this.objects = objects
    this.files = files
  }

  /**
   * Locates the sources of many versions at once, so that a list needs no more queries than a
   * single version.
   *
   * @returns a function that reads the source of one of the places; empty if it is missing or
   *   exceeds the size of a request
   */
  async find(reader: ProjectReader, places: readonly SourcePlace[]): Promise<(place: SourcePlace) => Promise<string>> {
    const ops = await this.contentsOfOps(reader, places)
    const digestsOf = ({ val, opRef }: SourcePlace) =>
      [fileIn(val), fileIn(ops.get(opRef))].filter((digest) => digest !== undefined)
    const existing = new Set(await this.files.existing(reader, [...new Set(places.flatMap(digestsOf))]))
    return async (place) => {
      for (const digest of digestsOf(place)) {
        const text = existing.has(digest) ? await this.textOf(digest) : ''
        if (text !== '') return text
      }
      return ''
    }
  }

  private async textOf(digest: string): Promise<string> {
    const file = await this.files.contentOf(digest)
    if (file.bytes > requestLimits.bodyBytesMax) return ''
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    let text = ''
    for await (const piece of file.read(0, file.bytes)) text += decoder.decode(piece, { stream: true })
    return text + decoder.decode()
  }

  /** Contents of the project's ops at the places, by ref. */
  private async contentsOfOps(reader: ProjectReader, places: readonly SourcePlace[]): Promise<Map<unknown, unknown>> {
    const refs = new Map<string, ObjectRef>()
    for (const { opRef } of places) {
      if (typeof opRef !== 'string') continue
      const ref = findObjectRef(opRef)
      if (ref?.kind === 'op' && ref.projectId === reader.projectId) refs.set(opRef, ref)
    }
    const known = new Map<string, unknown>()
    const exact = [...refs.values()].filter(({ version }) => looksLikeDigest(version))
    const names = exact.map(({ name, version }) => ({ object_id: name, digest: version }))
    for await (const some of this.objects.contentsOf(reader, names)) {
      for (const [name, { val }] of some) known.set(name, val)
    }
    const contents = new Map<unknown, unknown>()
    for (const [text, { name, version }] of refs) {
      const val = looksLikeDigest(version)
        ? known.get(`${name}:${version}`)
        : (await this.objects.find(reader, { object_id: name, digest: version, kind: 'op' }))?.val
      contents.set(text, val)
    }
    return contents
  }
}

/** Digest of the source file in a content. */
function fileIn(val: unknown): string | undefined {
  const files = isJsonObject(val) ? val['files'] : undefined
  if (!isJsonObject(files)) return undefined
  const digest = files[sourceName] ?? Object.values(files)[0]
  return typeof digest === 'string' ? digest : undefined
}
