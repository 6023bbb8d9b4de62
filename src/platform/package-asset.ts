import { readFile } from 'node:fs/promises'

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
 * with { type: 'file' }`).
 *
 * @public The entry point of the executable, which scripts/executable generates, calls it.
 */
export function useEmbeddedAsset(asset: PackageAsset, file: string): void {
  embedded.set(asset, file)
}

/** Reads a file of an installed package. `import.meta.resolve` works on both Bun and Deno. */
export async function readPackageAsset(asset: PackageAsset): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readFile(embedded.get(asset) ?? new URL(import.meta.resolve(asset)))
  } catch (cause) {
    throw new Error(`Cannot read the package file "${asset}"; reinstall the dependencies`, { cause })
  }
}
