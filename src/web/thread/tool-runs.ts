/** Puts neighbours with the same name together. */
export function toolRuns<Part extends { readonly name: string }>(parts: readonly Part[]): (readonly Part[])[] {
  const runs: Part[][] = []
  for (const part of parts) {
    const last = runs.at(-1)
    if (last?.[0]?.name === part.name) last.push(part)
    else runs.push([part])
  }
  return runs
}
