import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'

/**
 * Files of installed packages that the server reads at run time. A single-file build embeds them
 * and calls `useEmbeddedAsset` for each before the server starts.
 */
export const packageAssets = [
  '@ip-location-db/geo-whois-asn-country/geo-whois-asn-country-ipv4-num.csv',
  '@ip-location-db/geo-whois-asn-country/geo-whois-asn-country-ipv6.csv',
  'swagger-ui-dist/swagger-ui-bundle.js',
  'swagger-ui-dist/swagger-ui.css',
] as const

export type PackageAsset = (typeof packageAssets)[number]

const embedded = new Map<PackageAsset, string>()

/**
 * Makes `asset` be read from `file`, a path that the runtime can open (`/$bunfs/…` of `import …
 * with { type: 'file' }`). A file whose name ends in `.zst` is decompressed.
 *
 * @public The entry point of the executable, which scripts/executable generates, calls it.
 */
export function useEmbeddedAsset(asset: PackageAsset, file: string): void {
  embedded.set(asset, file)
}

const decompressed = promisify(zstdDecompress)

/** Reads a file of an installed package. `import.meta.resolve` works on both Bun and Deno. */
export async function readPackageAsset(asset: PackageAsset): Promise<Uint8Array<ArrayBuffer>> {
  const file = embedded.get(asset)
  try {
    const bytes = await readFile(file ?? new URL(import.meta.resolve(asset)))
    return file?.endsWith('.zst') ? await decompressed(bytes) : bytes
  } catch (cause) {
    throw new Error(`Cannot read the package file "${asset}"; reinstall the dependencies`, { cause })
  }
}
