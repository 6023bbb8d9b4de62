import { findRef, type ObjectRef, parseRef } from '../../../formats/dialect/parsed-ref.ts'
import { parseExactly } from '../../../formats/wire/exact-json.ts'
import { HeldBytes } from '../../../lib/concurrency.ts'
import { DomainError, quoted, tooMany } from '../../../lib/errors.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { itemAt, valueAt } from '../../../lib/present.ts'
import { looksLikeDigest } from '../../../runtime/digest.ts'
import type { Caller, ProjectReader } from '../../access/index.ts'
import type { TableReader } from '../../tables/index.ts'
import type { Objects } from '../objects.ts'
import { type Content, type Outcome, RefWalk } from './ref-walk.ts'

/**
 * Results of the refs of one batch, as JSON texts. Values that are equal in memory share their
 * text.
 */
export class BatchValues {
  private readonly refs: readonly string[]
  private readonly repeats = new Map<string, number>()
  private readonly values = new Map<string, string>()
  private readonly failures = new Map<string, Outcome['kind']>()
  private readonly held = new HeldBytes('request fewer `refs` at a time')

  /** @param refs those of the request, with duplicates */
  constructor(refs: readonly string[]) {
    this.refs = refs
    for (const text of refs) this.repeats.set(text, (this.repeats.get(text) ?? 0) + 1)
  }

  /**
   * Adds the result of a ref. @throws DomainError InvalidRequest once the response grows too large
   */
  add(ref: string, outcome: Outcome): void {
    if (outcome.kind !== 'value' && outcome.kind !== 'deleted') {
      this.failures.set(ref, outcome.kind)
      return
    }
    const text = outcome.kind === 'value' ? JSON.stringify(outcome.value ?? null) : 'null'
    this.values.set(ref, text)
    // An object requested a thousand times makes the response a thousand times as long.
    this.held.add(text.length * valueAt(this.repeats, ref))
  }

  /**
   * Values in the order of the request. @throws DomainError InvalidRequest; NotFound if an object
   * or row does not exist
   */
  texts(refs: ReadonlyMap<string, ObjectRef>): string[] {
    const [table] = this.having('tableWithoutRow')
    if (table !== undefined) {
      throw new DomainError(
        'InvalidRequest',
        `Invalid ref ${quoted(table, 200)}: it leads into a table, where only "id" edges are supported`,
      )
    }
    const missing = this.having('missing')
    const [first] = missing
    if (first !== undefined) {
      const digests = [...new Set(missing.map((text) => valueAt(refs, text).version))].sort()
      throw new DomainError('NotFound', `The object of ref ${quoted(first, 200)} does not exist`, {
        extras: { missing_object_digests: digests },
      })
    }
    const [row] = this.having('rowMissing')
    if (row !== undefined) {
      throw new DomainError('NotFound', `The table row of ref ${quoted(row, 200)} does not exist`)
    }
    return this.refs.map((text) => valueAt(this.values, text))
  }

  private having(kind: Outcome['kind']): string[] {
    return this.refs.filter((text) => this.failures.get(text) === kind)
  }
}

/** Resolves refs. See docs/decisions/026-reading-refs.md. */
export class Refs {
  private readonly objects: Objects
  private readonly tables: Pick<TableReader, 'findRows'>

  constructor({ objects, tables }: { objects: Objects; tables: Pick<TableReader, 'findRows'> }) {
    this.objects = objects
    this.tables = tables
  }

  /**
   * The value of each ref as JSON text, in order. Versions are given by digest. Null if the object
   * is deleted or an edge leads nowhere.
   *
   * @throws DomainError InvalidRequest if a ref is not an object or op ref, or the values are too
   *   large; NotFound if an object never existed or a table has no such row; Forbidden for a
   *   project out of scope
   */
  async readBatch(caller: Caller, texts: readonly string[]): Promise<string[]> {
    if (texts.length > operationLimits.refsMax) {
      throw new DomainError('InvalidRequest', tooMany('`refs`', texts.length, operationLimits.refsMax))
    }
    // Duplicates are read once.
    const refs = new Map(texts.map((text) => [text, objectRef(text)]))
    const byProject = Map.groupBy(refs, ([, { projectId }]) => projectId)
    // All projects are checked before anything is read.
    const wanted = [...byProject].map(([projectId, some]) => ({
      reader: caller.read(projectId),
      walks: some.map(([text, ref]) => ({ text, ref })),
    }))
    const found = new BatchValues(texts)
    for (const { reader, walks } of wanted) {
      await this.walk(reader, walks, {
        byDigestOnly: true,
        settle: ({ text }, outcome) => found.add(text, outcome),
      })
    }
    return found.texts(refs)
  }

  /**
   * Values of refs to the project's own objects, with any kind of version; unresolvable refs are
   * omitted.
   */
  async resolve(reader: ProjectReader, texts: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    const wanted = texts.flatMap((text): NamedRef[] => {
      const ref = findRef(text)
      const isOwn = (ref?.kind === 'object' || ref?.kind === 'op') && ref.projectId === reader.projectId
      return isOwn ? [{ text, ref }] : []
    })
    const values = new Map<string, unknown>()
    await this.walk(reader, wanted, {
      byDigestOnly: false,
      settle: ({ text }, outcome) => {
        if (outcome.kind === 'value') values.set(text, outcome.value)
      },
    })
    return values
  }

  /**
   * Follows refs of one project concurrently: what they need next is read in one batch. `settle` is
   * called as soon as a walk ends, so that it can keep what it needs and release the rest.
   */
  private async walk(
    reader: ProjectReader,
    refs: readonly NamedRef[],
    { byDigestOnly, settle }: { byDigestOnly: boolean; settle: (ref: NamedRef, outcome: Outcome) => void },
  ): Promise<void> {
    let open = refs.map((named): OpenWalk => ({ walk: new RefWalk(named.ref), named }))
    const settled = ({ walk, named }: OpenWalk): void => {
      if (walk.lookup === undefined) settle(named, walk.outcome)
    }
    let isFirst = true
    while (open.length > 0) {
      const asking = open
      open = []
      const wantsRow = asking.filter(({ walk }) => walk.lookup?.kind === 'row')
      const wantsObject = asking.filter(({ walk }) => walk.lookup?.kind === 'object')
      await this.giveObjects(reader, wantsObject, { byDigestOnly: isFirst && byDigestOnly, settled })
      await this.giveRows(reader, wantsRow)
      wantsRow.forEach(settled)
      open = asking.filter(({ walk }) => walk.lookup !== undefined)
      isFirst = false
    }
  }

  private async giveObjects(
    reader: ProjectReader,
    asking: readonly OpenWalk[],
    { byDigestOnly, settled }: { byDigestOnly: boolean; settled: (walk: OpenWalk) => void },
  ): Promise<void> {
    const wanted = asking.flatMap((open) =>
      open.walk.lookup?.kind === 'object' ? [{ open, ref: open.walk.lookup.ref }] : [],
    )
    const byName = Map.groupBy(wanted, ({ ref }) => `${ref.name}:${ref.version}`)
    const give = (name: string, content: Content): void => {
      for (const { open } of valueAt(byName, name)) {
        open.walk.giveObject(content)
        settled(open)
      }
    }
    const isExact = ({ version }: ObjectRef): boolean => byDigestOnly || looksLikeDigest(version)
    const exact = wanted
      .filter(({ ref }) => isExact(ref))
      .map(({ ref }) => ({ object_id: ref.name, digest: ref.version }))
    const given = new Set<string>()
    for await (const some of this.objects.contentsOf(reader, exact)) {
      for (const [name, content] of some) {
        given.add(name)
        give(name, content)
      }
    }
    for (const [name, some] of byName) {
      if (given.has(name)) continue
      const { ref } = itemAt(some, 0)
      const version = isExact(ref)
        ? undefined
        : await this.objects.find(reader, { object_id: ref.name, digest: ref.version, kind: ref.kind })
      give(name, version && { isDeleted: version.deleted_at !== null, val: version.val })
    }
  }

  private async giveRows(reader: ProjectReader, open: readonly OpenWalk[]): Promise<void> {
    const asking = open.flatMap(({ walk }) => (walk.lookup?.kind === 'row' ? [{ walk, lookup: walk.lookup }] : []))
    for (const [table, some] of Map.groupBy(asking, ({ lookup }) => lookup.table)) {
      const rows = await this.tables.findRows(reader, table, [...new Set(some.map(({ lookup }) => lookup.row))])
      for (const { walk, lookup } of some) {
        const text = rows?.get(lookup.row)
        walk.giveRow(text === undefined ? undefined : { value: parseExactly(text) })
      }
    }
  }
}

/** A ref of the request, as text and parsed. */
interface NamedRef {
  readonly text: string
  readonly ref: ObjectRef
}

/** An unfinished walk, and the ref that it follows. */
interface OpenWalk {
  readonly walk: RefWalk
  readonly named: NamedRef
}

function objectRef(text: string): ObjectRef {
  const ref = parseRef(text)
  const shown = text.slice(0, 200)
  if (ref.kind === 'table' || ref.kind === 'call') {
    const what = ref.kind === 'call' ? 'Call refs not supported' : 'Table refs not supported'
    throw new DomainError('InvalidRequest', `Invalid ref "${shown}": ${what}; only object and op refs can be read`)
  }
  if (ref.version === 'latest') {
    throw new DomainError('InvalidRequest', `Invalid ref "${shown}": the version must be a digest, not "latest"`)
  }
  return ref
}
