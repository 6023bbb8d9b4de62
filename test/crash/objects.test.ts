import { expect, test } from 'bun:test'
import { isDeepStrictEqual } from 'node:util'
import type { Answer, Client } from '../conformance/support/client.ts'
import { ProjectObjects } from '../conformance/support/objects.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { tableFolder } from '../store/folder-state.ts'
import { findLastingFaults } from '../store/lasting-faults.ts'
import { Random, seedOr } from '../store/random.ts'
import { letLoadRun } from './let-load-run.ts'
import {
  after,
  digestOf,
  emptyModel,
  type ObjectModel,
  type ObjectOperation,
  type VersionView,
  viewsOf,
  withoutLabels,
} from './object-model.ts'
import { ServerChild } from './server-child.ts'

const rounds = 6
const writers = 3
const loadMsMax = 900
const projectId = 'crash/objects'
const adminKey = 'c'.repeat(40)

/** A client that changes one object, one request after the other. */
class ObjectWriter {
  readonly name: string
  acknowledged = 0
  private readonly random: Random
  private model = emptyModel
  private unanswered: ObjectOperation | undefined

  constructor(name: string, random: Random) {
    this.name = name
    this.random = random
  }

  async run(client: Client): Promise<void> {
    const objects = new ProjectObjects(client, projectId)
    for (;;) {
      const operation = this.choose()
      this.unanswered = operation
      const answer = await this.send(objects, operation).catch(() => undefined)
      if (answer === undefined) return
      if (answer.status !== 200) throw new Error(`${operation.does} answered ${answer.status}: ${answer.text}`)
      this.model = after(this.model, operation)
      this.unanswered = undefined
      this.acknowledged++
    }
  }

  /**
   * The object is in the acknowledged state; the request in flight took effect or not, or a
   * deletion stopped after the labels.
   */
  async check(client: Client): Promise<void> {
    const objects = new ProjectObjects(client, projectId)
    const shown = await objects.query({ object_ids: [this.name] }, { include_tags_and_aliases: true })
    const listed = shown.map(({ digest, version_index, is_latest, tags, aliases }): VersionView => {
      return { digest, version_index, is_latest, tags: tags!, aliases: aliases! }
    })
    // Listed by creation: a version that was deleted and recreated comes later under its old
    // number.
    const views = listed.toSorted((a, b) => a.version_index - b.version_index)
    const { unanswered, model } = this
    const possible: ObjectModel[] = [model]
    if (unanswered !== undefined) possible.push(after(model, unanswered))
    if (unanswered?.does === 'delete') possible.push(withoutLabels(model, unanswered.n))
    const actual = possible.find((candidate) => isDeepStrictEqual(viewsOf(candidate), views))
    if (actual === undefined) expect(views).toEqual(viewsOf(model))
    this.model = actual!
    this.unanswered = undefined
    // No dangling pointers: everything that an alias or number points to is readable.
    for (const { version_index, aliases, digest } of views) {
      for (const name of [`v${version_index}`, ...aliases]) {
        const read = await objects.read(this.name, name)
        expect(digestOf((read.val as { n: number }).n)).toBe(digest)
        expect(read.digest).toBe(digest)
      }
    }
  }

  private send(objects: ProjectObjects, operation: ObjectOperation): Promise<Answer<unknown>> {
    const digest = digestOf(operation.n)
    switch (operation.does) {
      case 'create':
        return objects.askCreate(this.name, { n: operation.n })
      case 'delete':
        return objects.askDelete(this.name, [digest])
      case 'alias':
        return objects.askSetAliases(this.name, digest, [operation.name])
      case 'unalias':
        return objects.askRemoveAliases(this.name, [operation.name])
      case 'tag':
        return objects.askAddTags(this.name, digest, [operation.name])
      case 'untag':
        return objects.askRemoveTags(this.name, digest, [operation.name])
    }
  }

  private choose(): ObjectOperation {
    const { live } = this.model
    if (live.length === 0 || this.random.chance(0.3)) return { does: 'create', n: this.random.below(12) }
    const n = this.random.pick(live)
    if (this.random.chance(0.2)) return { does: 'delete', n }
    const does = this.random.pick(['alias', 'alias', 'unalias', 'tag', 'tag', 'untag'] as const)
    return { does, n, name: this.random.pick(['one', 'two', 'three']) }
  }
}

const seed = seedOr(Math.floor(Math.random() * 2 ** 31))
test(`objects, tags and aliases survive ${rounds} kills (TRACELAKE_TEST_SEED=${seed})`, async () => {
  const data = await makeTempFolder()
  const random = new Random(seed)
  const all = Array.from(
    { length: writers },
    (_, index) => new ObjectWriter(`o${index}`, new Random(random.below(2 ** 31))),
  )
  const checkFolder = async () => {
    for (const table of ['objects', 'object_labels']) {
      expect(await findLastingFaults(tableFolder(data, table), ['project_id', 'id'])).toEqual([])
    }
  }
  for (let round = 0; round <= rounds; round++) {
    const server = new ServerChild({ kind: round === rounds || round % 3 === 2 ? 'plain' : 'flushing', data, adminKey })
    try {
      const client = await server.listening()
      // Leftovers of a crash are gone once the server listens.
      await checkFolder()
      for (const writer of all) await writer.check(client)
      if (round === rounds) {
        expect(await server.stop()).toBe(0)
        continue
      }
      server.beginFlushing()
      const loads = Promise.all(all.map((writer) => writer.run(client)))
      const haveBegun = () => all.every(({ acknowledged }) => acknowledged > 0)
      await letLoadRun(100 + random.below(loadMsMax), loads, haveBegun)
      const log = await server.kill()
      await loads
      expect(log.split('\n').filter((line) => /"level":"error"|damaged/.test(line))).toEqual([])
    } finally {
      await server.kill()
    }
  }
  await checkFolder()
  for (const writer of all) expect(writer.acknowledged).toBeGreaterThan(0)
  await removeFolder(data)
}, 300_000)
