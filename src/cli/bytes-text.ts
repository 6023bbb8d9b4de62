const units = ['KiB', 'MiB', 'GiB', 'TiB'] as const

/** A human-readable size: `512 bytes`, `3.4 MiB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`
}
