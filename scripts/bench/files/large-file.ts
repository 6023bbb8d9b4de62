import { createReadStream } from 'node:fs'
import { mkdir, open, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Benchmark, Figure } from '../benchmark.ts'
import type { BenchServer } from '../server/bench-server.ts'

const projectId = 'bench/files'
const boundary = 'bench-boundary-5a1c'
const mebibyte = 1024 * 1024

/** Uploads and downloads a file of one gigabyte. */
export const largeFile: Benchmark = {
  name: 'file',
  description:
    'A file of 1 GiB: POST /file/create as a form, then POST /file/content, each by one client that holds none of it. Ceiling: the same file copied piece by piece ' +
    'and synced, without the server. Memory is the most that the server had more than before.',
  run: async (bench) => {
    const folder = bench.newFolder('file')
    const bytes = bench.size(1024, 2) * mebibyte
    bench.note('making a file of a gigabyte')
    const file = await makeFile(folder, bytes)
    const copySeconds = await copy(file, path.join(folder, 'copy'))
    await using server = await bench.startServer(bench.newFolder('file-data'))
    const before = (await server.stats()).rssBytes
    bench.note('sending it')
    const up = await timed(() => upload(server, file))
    const afterUp = (await server.stats()).rssBytesMax
    bench.note('fetching it')
    const down = await timed(() => download(server, up.result))
    if (down.result !== bytes) throw new Error(`Fetch a file: ${down.result} bytes came, not ${bytes}`)
    const afterDown = (await server.stats()).rssBytesMax
    const rate = (seconds: number) => bytes / 1e6 / seconds
    return [
      ...figures('up', rate(up.seconds), rate(copySeconds), (afterUp - before) / 1e6),
      ...figures('down', rate(down.seconds), rate(copySeconds), (afterDown - before) / 1e6),
    ]
  },
}

const figures = (variant: string, value: number, ceiling: number, memory: number): Figure[] => [
  { variant, measure: 'rate', value, unit: 'MB/s', ceiling },
  { variant, measure: 'memory, most', value: memory, unit: 'MB', target: { max: 150 } },
]

async function makeFile(folder: string, bytes: number): Promise<string> {
  await mkdir(folder, { recursive: true })
  const file = path.join(folder, 'content')
  const piece = crypto.getRandomValues(new Uint8Array(65_536))
  async function* pieces() {
    const large = new Uint8Array(mebibyte)
    for (let at = 0; at < bytes; at += mebibyte) {
      for (let part = 0; part < mebibyte; part += piece.byteLength) large.set(piece, part)
      large.set(new TextEncoder().encode(`${at}`))
      yield large
    }
  }
  await writeFile(file, pieces())
  return file
}

async function copy(from: string, to: string): Promise<number> {
  const { seconds } = await timed(async () => {
    await using target = await open(to, 'w')
    for await (const piece of createReadStream(from, { highWaterMark: mebibyte }))
      await target.write(piece as Uint8Array)
    await target.sync()
  })
  return seconds
}

async function upload(server: BenchServer, file: string): Promise<string> {
  const encoder = new TextEncoder()
  async function* form() {
    const part = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`
    yield encoder.encode(`${part('name="project_id"')}${projectId}\r\n${part('name="file"; filename="content"')}`)
    yield* createReadStream(file, { highWaterMark: mebibyte }) as AsyncIterable<Uint8Array>
    yield encoder.encode(`\r\n--${boundary}--\r\n`)
  }
  const answer = await fetch(`${server.url}/file/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: streamOf(form()),
  })
  if (!answer.ok) throw new Error(`Send a file: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { digest: string }).digest
}

async function download(server: BenchServer, digest: string): Promise<number> {
  const answer = await fetch(`${server.url}/file/content`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ project_id: projectId, digest }),
  })
  let bytes = 0
  for await (const piece of answer.body as ReadableStream<Uint8Array>) bytes += piece.byteLength
  return bytes
}

const streamOf = (pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const startMs = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - startMs) / 1000 }
}
