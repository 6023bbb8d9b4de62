import type { BenchRun } from '../bench-run.ts'
import type { BenchServer } from '../bench-server.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { percentile } from '../benchmark.ts'
import { project } from '../payload/calls.ts'
import { storeOfCalls } from '../reads/call-read.ts'
import { SeenPage } from './seen-page.ts'

const row = 'main [role=gridcell]'
const treeRow = 'main [role=tree] [role=treeitem]'
const payloadLine = 'main [role=tree][aria-label=Inputs] [role=treeitem]'
const callsOfBatch = 1_000
const callsOfVisited = 1_000

const tracePath = (traceId: string, search = ''): string => `/ui/${tracesProject.id}/trace/${traceId}${search}`

/** What a person waits for. */
export const ui: Benchmark = {
  name: 'ui',
  description:
    'The web UI in Chromium on the same machine, signed in, its files in the cache of the browser: milliseconds from the ' +
    'navigation, or from the click, until the first rows are painted. Medians of five.',
  run: async (bench) => {
    const data = await storeOfCalls(bench)
    await using server = await bench.startServer(data)
    const figures: Figure[] = []
    await using seen = await SeenPage.open(server)
    const times = bench.size(5, 1)
    const median = async (measure: () => Promise<number>): Promise<number> => {
      const all: number[] = []
      for (let time = 0; time < times; time++) all.push(await measure())
      return percentile(all, 0.5)
    }
    const add = (variant: string, measure: string, value: number, max: number, unit: Figure['unit'] = 'ms') =>
      figures.push({ variant, measure, value, unit, target: { max } })

    bench.note('opening the list of calls')
    // The first visit fills the cache.
    await seen.goTo(`/ui/${project}/calls`, row)
    const page = await median(() => seen.goTo(`/ui/${project}/calls`, row))
    add(`list of ${bench.storedCalls} calls`, 'first rows', page, 250)

    const [small, large] = [bench.size(10_000, 500), bench.size(100_000, 1_000)]
    for (const [calls, max] of [
      [small, 500],
      [large, 1_500],
    ] as const) {
      const traceId = `trace-of-${calls}`
      bench.note(`storing and opening a trace of ${calls} calls`)
      await store(server, largeTrace(traceId, calls))
      await seen.goTo(tracePath(traceId), treeRow)
      add(`trace of ${calls} calls`, 'first rows', await median(() => seen.goTo(tracePath(traceId), treeRow)), max)
    }
    await seen.goTo(tracePath(`trace-of-${small}`), treeRow)
    const frames = await seen.scroll(await scrollerOf(seen), bench.size(200, 5))
    add(`trace of ${small} calls`, 'scroll, p95 of a frame', percentile(frames, 0.95), 20)

    for (const [megabytes, max] of [
      [bench.size(1, 1), 100],
      [bench.size(20, 2), 400],
    ] as const) {
      const id = `payload-of-${megabytes}`
      bench.note(`storing and opening a payload of ${megabytes} MB`)
      await store(server, [payloadTrace(id, megabytes * 1_000_000)])
      let longestTaskMs = 0
      const ms = await median(async () => {
        await seen.goTo(tracePath(id, '?tab=attributes'), treeRow)
        const opened = await seen.click('main aside [role=tab]:nth-of-type(2)', payloadLine)
        longestTaskMs = Math.max(longestTaskMs, opened.longestTaskMs)
        return opened.ms
      })
      add(`payload of ${megabytes} MB`, 'first lines', ms, max)
      if (megabytes === 1) add('payload of 1 MB', 'longest task', longestTaskMs, 50)
    }

    await visitTraces(bench, server, seen)
    add(`after ${tracesVisited(bench)} traces`, 'heap', (await seen.heapBytes()) / 1_000_000, 80, 'MB')
    return figures
  },
}

const tracesVisited = (bench: BenchRun): number => bench.size(50, 3)

/** Opens one trace after the other without leaving the page, as the links of the UI do. */
async function visitTraces(bench: BenchRun, server: BenchServer, { page }: SeenPage): Promise<void> {
  const count = tracesVisited(bench)
  bench.note(`visiting ${count} traces`)
  for (let index = 0; index < count; index++) await store(server, largeTrace(`visited-${index}`, callsOfVisited))
  await page.goto(server.url + tracePath('visited-0'))
  for (let index = 1; index < count; index++) {
    const path = tracePath(`visited-${index}`)
    await page.evaluate(`{
      const link = document.createElement('a')
      link.href = ${JSON.stringify(path)}
      document.body.append(link)
      link.click()
      link.remove()
    }`)
    await page.waitForURL(server.url + path)
    await page.evaluate(`benchPainted('main [role=treeitem][id^=call-]')`)
    await page.waitForTimeout(bench.size(200, 50))
  }
}

/** What scrolls the rows of the tree. */
async function scrollerOf({ page }: SeenPage): Promise<string> {
  await page.evaluate(`
    let box = document.querySelector('main [role=tree] [role=treeitem]')
    while (box && !(box.scrollHeight > box.clientHeight + 50 && /auto|scroll/.test(getComputedStyle(box).overflowY))) box = box.parentElement
    box?.setAttribute('data-bench', 'scroller')`)
  return '[data-bench=scroller]'
}

async function store(server: BenchServer, calls: Iterable<Record<string, unknown>>): Promise<void> {
  const send = async (batch: readonly unknown[]): Promise<void> => {
    const response = await fetch(`${server.url}/v2/${tracesProject.entity}/${tracesProject.name}/calls/complete`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`api:${server.key}`)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ batch }),
    })
    if (!response.ok) throw new Error(`Store a trace: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  }
  let batch: unknown[] = []
  for (const call of calls) {
    batch.push(call)
    if (batch.length < callsOfBatch) continue
    await send(batch)
    batch = []
  }
  if (batch.length > 0) await send(batch)
}

/** A call as `calls/complete` takes it. */
type CompleteCall = Record<string, unknown>

/** Project of the traces of the benchmark. */
const tracesProject = { entity: 'bench', name: 'traces', id: 'bench/traces' } as const

const startedMs = Date.UTC(2026, 0, 5, 9)
const at = (ms: number): string => new Date(startedMs + ms).toISOString()
const stepsOfAgent = 99
const ops = ['openai.chat.completions.create', 'tool.search', 'retrieve', 'format']

/** A trace of `calls` calls in three levels: a root, agents, and their steps. */
function* largeTrace(traceId: string, calls: number): Generator<CompleteCall> {
  const call = (id: string, parent_id: string | null, op_name: string, from: number, to: number): CompleteCall => ({
    project_id: tracesProject.id,
    id: `${traceId}-${id}`,
    trace_id: traceId,
    parent_id: parent_id === null ? null : `${traceId}-${parent_id}`,
    op_name,
    started_at: at(from),
    ended_at: at(to),
    attributes: {},
    inputs: {},
    output: null,
    summary: {},
  })
  yield call('root', null, 'crawl', 0, calls * 10)
  for (let made = 1, agent = 0; made < calls; agent++) {
    const from = agent * stepsOfAgent * 10
    yield call(`${agent}`, 'root', 'agent', from, from + stepsOfAgent * 10)
    made++
    for (let step = 0; step < stepsOfAgent && made < calls; step++, made++)
      yield call(`${agent}-${step}`, `${agent}`, ops[step % ops.length]!, from + step * 10, from + step * 10 + 9)
  }
}

/** A trace of one call with about `characters` characters of inputs. */
function payloadTrace(traceId: string, characters: number): CompleteCall {
  const row = { words: 'the quick brown fox '.repeat(9), number: 12_345, flags: [true, false, null] }
  const rows = Array.from({ length: Math.ceil(characters / (JSON.stringify(row).length + 1)) }, () => row)
  const [call] = largeTrace(traceId, 1)
  return { ...call, inputs: { rows } }
}
