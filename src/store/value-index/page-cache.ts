/** The pages that were used last, of at most `bytesMax` bytes in all. */
export class LastPages {
  private readonly bytesMax: number
  private readonly pages = new Map<string, Uint32Array>()
  private bytes = 0

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  get(key: string): Uint32Array | undefined {
    const page = this.pages.get(key)
    if (page === undefined) return undefined
    // Reinsert it as the most recent entry of the map.
    this.pages.delete(key)
    this.pages.set(key, page)
    return page
  }

  set(key: string, page: Uint32Array): void {
    this.bytes += page.byteLength - (this.pages.get(key)?.byteLength ?? 0)
    this.pages.delete(key)
    this.pages.set(key, page)
    for (const [oldest, { byteLength }] of this.pages) {
      if (this.bytes <= this.bytesMax) return
      this.pages.delete(oldest)
      this.bytes -= byteLength
    }
  }
}
