import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Caller, ProjectReader } from '../../model/caller.ts'
import { looksLikeDigest } from '../../model/digest.ts'
import { findRef, type ObjectRef, parseRef } from '../../model/parsed-ref.ts'
import { parseExactly } from '../../wire/exact-json.ts'
import type { Objects } from '../objects/objects.ts'
import type { TableReader } from '../row-tables/read-tables.ts'
import { type Content, type Outcome, RefWalk } from './ref-walk.ts'

/** Finds what refs stand for. */
export class Refs {
  private readonly objects: Objects
  private readonly tables: Pick<TableReader, 'findRows'>

  constructor({ objects, tables }: { objects: Objects; tables: Pick<TableReader, 'findRows'> }) {
    this.objects = objects
    this.tables = tables
  }

  /**
   * The value of each ref, in order. Versions are given by digest. Null where the object is deleted, or where an edge leads nowhere.
   *
   * @throws DomainError InvalidRequest for what is no ref of an object or op, or for values of unreasonable size; NotFound where an object never existed, or a table lacks
   * a row; Forbidden for a project that the key does not reach
   */
  async readBatch(caller: Caller, texts: readonly string[]): Promise<unknown[]> {
    if (texts.length > limits.refsMax) {
      throw new DomainError(
        'InvalidRequest',
        `Read refs: ${texts.length} are more than the ${limits.refsMax} allowed at a time`,
      )
    }
    const refs = texts.map(objectRef)
    const outcomes = new Map<ObjectRef, Outcome>()
    for (const [projectId, some] of Map.groupBy(refs, (ref) => ref.projectId)) {
      const found = await this.walk(caller.read(projectId), some, { byDigestOnly: true })
      for (const [index, ref] of some.entries()) outcomes.set(ref, found[index]!)
    }
    const values = valuesOf(
      texts,
      refs,
      refs.map((ref) => outcomes.get(ref)!),
    )
    checkSize(values)
    return values
  }

  /** What refs of the project's own objects stand for, in any form of version; those that lead nowhere are left out. */
  async resolve(reader: ProjectReader, texts: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    const wanted = texts.flatMap((text): { text: string; ref: ObjectRef }[] => {
      const ref = findRef(text)
      const isOwn = (ref?.kind === 'object' || ref?.kind === 'op') && ref.projectId === reader.projectId
      return isOwn ? [{ text, ref }] : []
    })
    const outcomes = await this.walk(
      reader,
      wanted.map(({ ref }) => ref),
      { byDigestOnly: false },
    )
    return new Map(
      wanted.flatMap(({ text }, index): [string, unknown][] => {
        const outcome = outcomes[index]!
        return outcome.kind === 'value' ? [[text, outcome.value]] : []
      }),
    )
  }

  /** Walks along refs of one project, all at once: what they need next is read together. */
  private async walk(
    reader: ProjectReader,
    refs: readonly ObjectRef[],
    { byDigestOnly }: { byDigestOnly: boolean },
  ): Promise<Outcome[]> {
    const walks = refs.map((ref) => new RefWalk(ref))
    let isFirst = true
    for (;;) {
      const open = walks.filter(({ need }) => need !== undefined)
      if (open.length === 0) return walks.map(({ outcome }) => outcome)
      await this.giveObjects(reader, open, isFirst && byDigestOnly)
      await this.giveRows(reader, open)
      isFirst = false
    }
  }

  private async giveObjects(reader: ProjectReader, open: readonly RefWalk[], byDigestOnly: boolean): Promise<void> {
    const asking = open.flatMap((walk) => (walk.need?.kind === 'object' ? [{ walk, ref: walk.need.ref }] : []))
    const isExact = ({ version }: ObjectRef): boolean => byDigestOnly || looksLikeDigest(version)
    const names = asking
      .filter(({ ref }) => isExact(ref))
      .map(({ ref }) => ({ object_id: ref.name, digest: ref.version }))
    const contents = new Map<string, Content>(await this.objects.contentsOf(reader, names))
    for (const { walk, ref } of asking) {
      const key = `${ref.name}:${ref.version}`
      if (!isExact(ref) && !contents.has(key)) {
        const version = await this.objects.find(reader, { object_id: ref.name, digest: ref.version, kind: ref.kind })
        contents.set(key, version && { isDeleted: version.deleted_at !== null, val: version.val })
      }
      walk.giveObject(contents.get(key))
    }
  }

  private async giveRows(reader: ProjectReader, open: readonly RefWalk[]): Promise<void> {
    const asking = open.flatMap((walk) => (walk.need?.kind === 'row' ? [{ walk, need: walk.need }] : []))
    for (const [table, some] of Map.groupBy(asking, ({ need }) => need.table)) {
      const rows = await this.tables.findRows(reader, table, [...new Set(some.map(({ need }) => need.row))])
      for (const { walk, need } of some) {
        const text = rows?.get(need.row)
        walk.giveRow(text === undefined ? undefined : { value: parseExactly(text) })
      }
    }
  }
}

/** The same object, asked for a thousand times, would be a thousand times as long in the answer. */
function checkSize(values: readonly unknown[]): void {
  const known = new Map<unknown, number>()
  let chars = 0
  for (const value of values) {
    const size = known.get(value) ?? JSON.stringify(value).length
    known.set(value, size)
    chars += size
    if (chars > limits.refsAnswerCharsMax) {
      throw new DomainError(
        'InvalidRequest',
        `Read refs: their values are larger than ${limits.refsAnswerCharsMax} characters; ask for fewer at a time`,
      )
    }
  }
}

function objectRef(text: string): ObjectRef {
  const ref = parseRef(text)
  const shown = text.slice(0, 200)
  if (ref.kind === 'table' || ref.kind === 'call') {
    throw new DomainError('InvalidRequest', `Read the ref "${shown}": only refs of objects and ops can be read`)
  }
  if (ref.version === 'latest') {
    throw new DomainError('InvalidRequest', `Read the ref "${shown}": the version has to be a digest, not "latest"`)
  }
  return ref
}

function valuesOf(texts: readonly string[], refs: readonly ObjectRef[], outcomes: readonly Outcome[]): unknown[] {
  const having = (kind: Outcome['kind']): number[] =>
    outcomes.flatMap((outcome, at) => (outcome.kind === kind ? [at] : []))
  const [table] = having('tableWithoutRow')
  if (table !== undefined) {
    const reason = 'it leads into a table, and only the edge "id" goes on from there'
    throw new DomainError('InvalidRequest', `Read the ref "${texts[table]!.slice(0, 200)}": ${reason}`)
  }
  const missing = having('missing')
  if (missing.length > 0) {
    const digests = [...new Set(missing.map((at) => refs[at]!.version))].sort()
    throw new DomainError('NotFound', `Read the ref "${texts[missing[0]!]!.slice(0, 200)}": there is no such object`, {
      extras: { missing_object_digests: digests },
    })
  }
  const [row] = having('rowMissing')
  if (row !== undefined) {
    throw new DomainError('NotFound', `Read the ref "${texts[row]!.slice(0, 200)}": the table has no such row`)
  }
  return outcomes.map((outcome) => (outcome.kind === 'value' ? (outcome.value ?? null) : null))
}
