const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']

/** A size: `812 B`, `20.4 MB`, `30.1 GB`. Units of 1,000, as disks are sold. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  if (power === 0) return `${Math.round(bytes)} B`
  const value = bytes / 1_000 ** power
  return value >= 999.5 && power < units.length - 1
    ? `1.00 ${units[power + 1]}`
    : `${value.toPrecision(3)} ${units[power]}`
}
