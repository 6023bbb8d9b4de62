interface Choice {
  readonly name: string
  /** Preference from 0 (not acceptable) to 1. */
  readonly quality: number
}

/**
 * The choices of an `Accept` or `Accept-Encoding` header (RFC 9110, section 12.4.2), in lower case
 * and as listed. Malformed weights count as 1.
 */
export function acceptedChoices(header: string): Choice[] {
  return header.split(',').flatMap((part) => {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
    if (name === '') return []
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return [{ name, quality: weight !== undefined && /^[01](?:\.\d{0,3})?$/.test(weight) ? Number(weight) : 1 }]
  })
}
