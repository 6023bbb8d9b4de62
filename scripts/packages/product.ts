import path from 'node:path'
import type { Target } from '../executable/targets.ts'

/** What packages say about the product. */
export interface Product {
  readonly version: string
  readonly description: string
  readonly license: string
  readonly readme: string
  readonly licenseText: string
}

/** An executable, and what it was built for. */
export interface BuiltTarget {
  readonly target: Target
  readonly executable: Uint8Array
}

export async function readProduct(repository: string): Promise<Product> {
  const text = (name: string): Promise<string> => Bun.file(path.join(repository, name)).text()
  const { version, description, license } = JSON.parse(await text('package.json')) as Product
  return { version, description, license, readme: await text('README.md'), licenseText: await text('LICENSE') }
}
