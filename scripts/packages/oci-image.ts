import { gzipSync } from 'node:zlib'
import { type ArchiveEntry, byPath, textEntry } from './archive-entry.ts'
import { imageCache, imageUser } from './image-root.ts'
import type { ReleaseFile } from './npm-packages.ts'
import type { BuiltTarget, Product } from './product.ts'
import { tar } from './tar.ts'

const architectures = { x64: 'amd64', arm64: 'arm64' } as const

/**
 * An image as an OCI layout in a tar archive (OCI image specification 1.1), which
 * `docker load`, `podman load` and `skopeo` take.
 */
export function ociImage(
  { target }: BuiltTarget,
  layers: readonly (readonly ArchiveEntry[])[],
  product: Product,
): ReleaseFile {
  const blobs = new Map<string, Uint8Array>()
  const add = (mediaType: string, bytes: Uint8Array) => {
    const digest = sha256(bytes)
    blobs.set(digest, bytes)
    return { mediaType, digest: `sha256:${digest}`, size: bytes.length }
  }
  const addJson = (mediaType: string, value: unknown) => add(mediaType, new TextEncoder().encode(JSON.stringify(value)))
  const tars = layers.map(tar)
  const layerDescriptors = tars.map((bytes) =>
    add('application/vnd.oci.image.layer.v1.tar+gzip', gzipSync(bytes, { level: 9 })),
  )
  const platform = { os: 'linux', architecture: architectures[target.cpu] }
  const config = addJson('application/vnd.oci.image.config.v1+json', {
    ...platform,
    created: '1970-01-01T00:00:00Z',
    config: runConfig(product),
    rootfs: { type: 'layers', diff_ids: tars.map((bytes) => `sha256:${sha256(bytes)}`) },
    history: tars.map(() => ({ created: '1970-01-01T00:00:00Z', created_by: 'scripts/release' })),
  })
  const manifest = addJson('application/vnd.oci.image.manifest.v1+json', {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config,
    layers: layerDescriptors,
  })
  const name = `tracelake:${product.version}`
  const annotations = { 'org.opencontainers.image.ref.name': product.version, 'io.containerd.image.name': name }
  const index = { schemaVersion: 2, manifests: [{ ...manifest, platform, annotations }] }
  // `docker load` of older versions reads this file instead of the index.
  const dockerManifest = [
    { Config: blobPath(config), RepoTags: [name], Layers: layerDescriptors.map((layer) => blobPath(layer)) },
  ]
  const entries = [
    textEntry('oci-layout', JSON.stringify({ imageLayoutVersion: '1.0.0' })),
    textEntry('index.json', JSON.stringify(index)),
    textEntry('manifest.json', JSON.stringify(dockerManifest)),
    { path: 'blobs', mode: 0o755 },
    { path: 'blobs/sha256', mode: 0o755 },
    ...[...blobs].map(([digest, content]) => ({ path: `blobs/sha256/${digest}`, mode: 0o644, content })),
  ]
  return { name: `tracelake-${product.version}-${platform.architecture}.tar`, bytes: tar(byPath(entries)) }
}

const blobPath = ({ digest }: { digest: string }): string => `blobs/${digest.replace(':', '/')}`

const sha256 = (bytes: Uint8Array): string => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

/** How containers start. The data is below the volume, with the key of its secrets beside it. */
const runConfig = ({ version, license, description }: Product) => ({
  User: `${imageUser}:${imageUser}`,
  ExposedPorts: { '8470/tcp': {}, '4317/tcp': {} },
  Env: [
    'PATH=/usr/local/bin',
    'HOME=/data',
    `XDG_CACHE_HOME=${imageCache}`,
    'TRACELAKE_HOST=0.0.0.0',
    'TRACELAKE_DATA=/data/tracelake',
  ],
  Entrypoint: ['/usr/local/bin/tracelake'],
  Cmd: ['serve'],
  Volumes: { '/data': {} },
  WorkingDir: '/data',
  StopSignal: 'SIGTERM',
  // Times in nanoseconds; read by Docker and Podman.
  Healthcheck: {
    Test: ['CMD', '/usr/local/bin/tracelake', 'health'],
    Interval: 30_000_000_000,
    Timeout: 5_000_000_000,
    StartPeriod: 60_000_000_000,
    Retries: 3,
  },
  Labels: {
    'org.opencontainers.image.title': 'tracelake',
    'org.opencontainers.image.description': description,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': license,
  },
})
