import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'

/**
 * An npm registry and a Python package index on this machine that have the files of a release, and
 * nothing else.
 */
export class Registries implements AsyncDisposable {
  /** Bytes of packages that have been downloaded. */
  downloaded = 0
  private readonly server: Bun.Server<undefined>
  private readonly packages: ReadonlyMap<string, object>

  private constructor(release: string, packages: ReadonlyMap<string, object>, wheels: readonly string[]) {
    this.packages = packages
    this.server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async (request) => {
        const place = decodeURIComponent(new URL(request.url).pathname)
        if (place === '/simple/tracelake/') return links(wheels)
        const found = /^\/(npm|pypi)\/([\w.-]+)$/.exec(place)
        if (found !== null) return await this.send(request, Bun.file(path.join(release, found[1]!, found[2]!)))
        const known = this.packages.get(place.slice(1))
        return known === undefined ? new Response('{}', { status: 404 }) : Response.json(this.addressed(known))
      },
    })
  }

  static async open(release: string): Promise<Registries> {
    const packages = new Map<string, object>()
    for (const name of await readdir(path.join(release, 'npm'))) {
      const bytes = await Bun.file(path.join(release, 'npm', name)).bytes()
      const manifest = manifestOf(bytes)
      const dist = {
        tarball: name,
        shasum: createHash('sha1').update(bytes).digest('hex'),
        integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
      }
      packages.set(manifest.name, {
        name: manifest.name,
        'dist-tags': { latest: manifest.version },
        versions: { [manifest.version]: { ...manifest, dist } },
      })
    }
    return new Registries(release, packages, await readdir(path.join(release, 'pypi')))
  }

  get npm(): string {
    return this.server.url.href
  }

  get pypi(): string {
    return new URL('/simple', this.server.url).href
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop(true)
  }

  /** A file, or the part of it that is asked for: uv reads the end of a wheel first. */
  private async send(request: Request, file: Bun.BunFile): Promise<Response> {
    const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.get('range') ?? '') ?? []
    const isWhole = from === undefined || to === undefined
    const start = isWhole ? 0 : from === '' ? file.size - Number(to) : Number(from)
    const end = isWhole || from === '' || to === '' ? file.size : Math.min(file.size, Number(to) + 1)
    const headers = { 'accept-ranges': 'bytes', 'content-type': 'application/octet-stream' }
    if (request.method === 'HEAD')
      return new Response(null, { headers: { ...headers, 'content-length': String(file.size) } })
    this.downloaded += end - start
    const bytes = await file.slice(start, end).bytes()
    if (isWhole) return new Response(bytes, { headers })
    return new Response(bytes, {
      status: 206,
      headers: { ...headers, 'content-range': `bytes ${start}-${end - 1}/${file.size}` },
    })
  }

  /** Names of tarballs become addresses of this server. */
  private addressed(known: object): object {
    const text = JSON.stringify(known).replace(/"tarball":"([^"]+)"/g, `"tarball":"${this.npm}npm/$1"`)
    return JSON.parse(text) as object
  }
}

/** The page of a project in the simple repository API of Python (PEP 503). */
function links(wheels: readonly string[]): Response {
  const anchors = wheels.map((name) => `<a href="/pypi/${name}">${name}</a>`)
  return new Response(`<!DOCTYPE html><html><body>${anchors.join('\n')}</body></html>`, {
    headers: { 'content-type': 'text/html' },
  })
}

/**
 * `package.json` in the archive of a package: a header of 512 bytes with name and octal size, then
 * the text.
 */
function manifestOf(archive: Uint8Array): { name: string; version: string } {
  const bytes = gunzipSync(archive)
  for (let at = 0; at + 512 <= bytes.length; ) {
    const text = (from: number, to: number) =>
      bytes
        .subarray(at + from, at + to)
        .toString('latin1')
        .split('\0')[0]!
    const size = Number.parseInt(text(124, 136), 8)
    if (text(0, 100) === 'package/package.json')
      return JSON.parse(bytes.subarray(at + 512, at + 512 + size).toString()) as { name: string; version: string }
    at += 512 + Math.ceil(size / 512) * 512
  }
  throw new Error('Read a package: it has no package.json')
}
