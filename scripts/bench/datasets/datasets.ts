import { createHash } from 'node:crypto'
import type { BenchServer } from '../bench-server.ts'
import { type Benchmark, type Figure, percentile } from '../benchmark.ts'
import { SeenPage } from '../ui/seen-page.ts'

const projectId = 'bench/datasets'

/** Imports, exports and compares a dataset of ten columns. */
export const datasets: Benchmark = {
  name: 'datasets',
  description:
    'Imports 1,000,000 rows of ten columns from CSV, exports them as JSON Lines, imports these as another dataset, and ' +
    'compares two versions that differ in one row of a thousand and one that shares no row with the first. The grid of ' +
    'these rows in Chromium: from the navigation to the first rows, and from a jump to the rows there, medians of nine.',
  run: async (bench) => {
    const rows = bench.size(1_000_000, 2_000)
    const data = bench.newFolder('datasets')
    await using server = await bench.startServer(data)
    const idleBytes = (await server.stats()).rssBytes
    const csv = csvOf(rows, 0)
    const cpuBefore = (await server.stats()).cpuSeconds
    const imported = await timed(() => importFile(server, 'first', csv))
    const after = await server.stats()
    const seen = await seeGrid(server, bench.size(9, 1), bench.isTiny)
    const exported = await timed(() => exportFile(server, 'first', 'jsonl'))
    await importFile(server, 'again', exported.value, 'jsonl')
    const again = await exportFile(server, 'again', 'jsonl')
    const isEqual = (await hashOf(again)) === (await hashOf(exported.value))
    if (!isEqual) throw new Error('The export of an imported export differs')
    bench.note(`${rows} rows, ${(csv.size / 1e6).toFixed(0)} MB as CSV, exports are equal`)
    await importFile(server, 'first', csvOf(rows, 1000))
    const few = await timed(() => diff(server))
    if (few.value.changed !== Math.ceil(rows / 1000)) throw new Error(`Wrong counts: ${JSON.stringify(few.value)}`)
    await importFile(server, 'first', csvOf(rows, 1))
    const all = await timed(() => diff(server))
    if (all.value.changed !== rows) throw new Error(`Wrong counts: ${JSON.stringify(all.value)}`)
    await server.stop()
    return [
      { variant: 'import', measure: 'rows', value: rows / imported.seconds, unit: 'rows/s', target: { min: 50_000 } },
      { variant: 'import', measure: 'processor time', value: after.cpuSeconds - cpuBefore, unit: 's' },
      {
        variant: 'import',
        measure: 'memory added',
        value: (after.rssBytesMax - idleBytes) / 1e6,
        unit: 'MB',
        target: { max: 300 },
      },
      { variant: 'export', measure: 'rows', value: rows / exported.seconds, unit: 'rows/s' },
      {
        variant: 'one row of a thousand differs',
        measure: 'comparison',
        value: few.seconds,
        unit: 's',
        target: { max: 5 },
      },
      { variant: 'all rows differ', measure: 'comparison', value: all.seconds, unit: 's', target: { max: 5 } },
      ...seen,
    ]
  },
}

/** How soon people see the rows of the dataset, and any others. */
async function seeGrid(server: BenchServer, times: number, isTiny: boolean): Promise<Figure[]> {
  await using seen = await SeenPage.open(server)
  const path = `/ui/${projectId}/datasets/first/latest`
  const rows = 'body:has([role=grid] [role=rowheader]):not(:has([role=grid] [aria-busy]))'
  await seen.goTo(path, rows)
  const opened: number[] = []
  for (let time = 0; time < times; time++) opened.push(await seen.goTo(path, rows))
  const jumps: number[] = []
  // Places all over the dataset; tiny ones too end with rows that are far from the first.
  for (let time = 0; time < times; time++)
    jumps.push(await seen.jump('[role=grid]', isTiny ? 1 : ((time * 7 + 3) % 10) / 10))
  const figure = (measure: string, values: number[], max: number): Figure => ({
    variant: 'grid',
    measure,
    value: percentile(values, 0.5),
    unit: 'ms',
    target: { max },
  })
  return [figure('first rows painted, p50', opened, 400), figure('rows after a jump painted, p50', jumps, 200)]
}

/** @param changedEvery of these rows one differs from the first version; 0 for none */
function csvOf(rows: number, changedEvery: number): Blob {
  const pieces: string[] = ['id,question,answer,score,ok,category,tokens,price,code,note\n']
  let text = ''
  for (let row = 0; row < rows; row++) {
    const mark = changedEvery > 0 && row % changedEvery === 0 ? ' again' : ''
    text +=
      `${row},"What is the refund policy of order ${row}?","It is ""30"" days, ${row}${mark}",` +
      `${((row * 7919) % 1000) / 1000},${row % 2 === 0},category ${row % 17},${(row * 31) % 5000},${row % 977}.50,` +
      `00${row},note ${(row * 40_503) % 1_000_003}\n`
    if (text.length < 1e6) continue
    pieces.push(text)
    text = ''
  }
  return new Blob([...pieces, text])
}

async function importFile(server: BenchServer, name: string, file: Blob, format = 'csv'): Promise<void> {
  const form = new FormData()
  form.set('project_id', projectId)
  form.set('options', JSON.stringify({ name, format }))
  form.set('file', file, `rows.${format}`)
  await answered(server, '/datasets/import', form, {})
}

async function exportFile(server: BenchServer, name: string, format: string): Promise<Blob> {
  const body = JSON.stringify({ project_id: projectId, object_id: name, digest: 'latest', format })
  const response = await answered(server, '/datasets/export', body, { 'content-type': 'application/json' })
  return await response.blob()
}

async function diff(server: BenchServer): Promise<{ changed: number; same: number }> {
  const named = { project_id: projectId, object_id: 'first', from_digest: 'v0', to_digest: 'latest', limit: 100 }
  const headers = { 'content-type': 'application/json' }
  const response = await answered(server, '/datasets/diff', JSON.stringify(named), headers)
  return (await response.json()) as { changed: number; same: number }
}

async function answered(
  { url, key }: BenchServer,
  to: string,
  body: string | FormData,
  headers: Record<string, string>,
): Promise<Response> {
  const response = await fetch(url + to, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
    body,
  })
  if (!response.ok) throw new Error(`Ask for ${to}: answered ${response.status}: ${await response.text()}`)
  return response
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; seconds: number }> {
  const startMs = performance.now()
  const value = await work()
  return { value, seconds: (performance.now() - startMs) / 1000 }
}

const hashOf = (blob: Blob): Promise<string> =>
  blob.arrayBuffer().then((bytes) => createHash('sha256').update(new Uint8Array(bytes)).digest('hex'))
