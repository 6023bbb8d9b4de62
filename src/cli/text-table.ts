const columnCharsMax = 60

/** Rows under their column names, aligned, with long texts truncated. */
export function textTable(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [names, ...rows].map((row) => row.map(oneLine))
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()
  const [header, ...body] = cells as [string[], ...string[][]]
  return `${[line(header), widths.map((width) => '-'.repeat(width)).join('  '), ...body.map(line)].join('\n')}\n`
}

function oneLine(text: string): string {
  // Stored text must not control the terminal of whoever views it.
  const flat = text.replaceAll(/\s+/g, ' ').replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
  return flat.length > columnCharsMax ? `${flat.slice(0, columnCharsMax - 1)}…` : flat
}
