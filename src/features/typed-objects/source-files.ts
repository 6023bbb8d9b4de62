import { findObjectRef, type ObjectRef } from '../../dialect/parsed-ref.ts'
import type { ProjectReader } from '../../foundation/access/caller.ts'
import { looksLikeDigest } from '../../kernel/digest.ts'
import { isJsonObject } from '../../kernel/json-value.ts'
import { limits } from '../../limits.ts'
import { readText } from '../../platform/files.ts'
import type { Files } from '../../records/files/files.ts'
import type { Objects } from '../../records/objects/objects.ts'

/** Where client packages keep the source of an op or a class. */
export const sourceName = 'obj.py'

/** Where the source of a version may be: in the files of a content, else with the op that a ref names. */
export interface SourcePlace {
  readonly val: unknown
  readonly opRef?: unknown
}

/** Reads the sources that versions carry. */
export class SourceFiles {
  private readonly objects: Objects
  private readonly files: Files

  constructor({ objects, files }: { objects: Objects; files: Files }) {
    this.objects = objects
    this.files = files
  }

  /**
   * Finds out at once where all of these are, however many, so that a list asks no more of the store than a single version does.
   *
   * @returns reads the source of the place at an index; an empty text where there is none, or it is gone, or larger than any request
   */
  async find(reader: ProjectReader, places: readonly SourcePlace[]): Promise<(index: number) => Promise<string>> {
    const ops = await this.contentsOfOps(reader, places)
    const digests = places.map(({ val, opRef }) =>
      [fileIn(val), fileIn(ops.get(opRef))].filter((digest) => digest !== undefined),
    )
    const held = new Set(await this.files.held(reader, [...new Set(digests.flat())]))
    return async (index) => {
      for (const digest of digests[index]!) {
        const text = held.has(digest) ? await this.textOf(digest) : ''
        if (text !== '') return text
      }
      return ''
    }
  }

  private async textOf(digest: string): Promise<string> {
    const { path, bytes } = await this.files.contentOf(digest)
    return bytes > limits.bodyBytesMax ? '' : await readText(path)
  }

  /** Contents of the ops of the project that the places name, by ref. */
  private async contentsOfOps(reader: ProjectReader, places: readonly SourcePlace[]): Promise<Map<unknown, unknown>> {
    const refs = new Map<string, ObjectRef>()
    for (const { opRef } of places) {
      const ref = typeof opRef === 'string' ? findObjectRef(opRef) : undefined
      if (ref?.kind === 'op' && ref.projectId === reader.projectId) refs.set(opRef as string, ref)
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

/** Digest of the file with the source that a content names. */
function fileIn(val: unknown): string | undefined {
  const files = isJsonObject(val) ? val['files'] : undefined
  if (!isJsonObject(files)) return undefined
  const digest = files[sourceName] ?? Object.values(files)[0]
  return typeof digest === 'string' ? digest : undefined
}
