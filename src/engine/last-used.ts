/** The values that were used last, of at most `bytesMax` bytes in all. */
export class LastUsed<Value extends { readonly byteLength: number }> {
  readonly bytesMax: number
  private readonly values = new Map<string, Value>()
  private bytes = 0

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  get byteLength(): number {
    return this.bytes
  }

  get(key: string): Value | undefined {
    const value = this.values.get(key)
    if (value === undefined) return undefined
    // Reinsert it as the most recent entry of the map.
    this.values.delete(key)
    this.values.set(key, value)
    return value
  }

  has(key: string): boolean {
    return this.values.has(key)
  }

  delete(key: string): void {
    this.bytes -= this.values.get(key)?.byteLength ?? 0
    this.values.delete(key)
  }

  set(key: string, value: Value): void {
    this.bytes += value.byteLength - (this.values.get(key)?.byteLength ?? 0)
    this.values.delete(key)
    this.values.set(key, value)
    for (const [oldest, { byteLength }] of this.values) {
      if (this.bytes <= this.bytesMax) return
      this.values.delete(oldest)
      this.bytes -= byteLength
    }
  }
}
