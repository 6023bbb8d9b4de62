/** Address and key of a server. */
export interface Target {
  readonly url: string
  readonly key: string
}

const encoder = new TextEncoder()

/** The bytes of a whole HTTP/1.1 POST request, ready for a socket. */
export function postRequest(
  { url, key }: Target,
  path: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
): Uint8Array {
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const head = encoder.encode(
    `POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${key}\r\n` +
      Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('') +
      `Content-Length: ${bytes.byteLength}\r\n\r\n`,
  )
  const request = new Uint8Array(head.byteLength + bytes.byteLength)
  request.set(head)
  request.set(bytes, head.byteLength)
  return request
}
