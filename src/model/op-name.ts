/**
 * The name people know an op by: the part between the last `/` and the `:` of an op ref (`ext:///e/p/op/answer:v1` → `answer`); any
 * other name is returned as it is.
 */
export function opShortName(opName: string): string {
  const match = /^(?:ext|weave):\/\/\/[^/]+\/[^/]+\/op\/([^/:]+):/.exec(opName)
  return match ? match[1]! : opName
}
