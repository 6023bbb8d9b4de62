import type { Answer, Client } from './client.ts'
import { basic } from './client.ts'
import type { Project } from './project.ts'

/** Digest of the content `hello`, and of no content at all. */
export const helloDigest = 'LPJNulXwow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ'
export const emptyDigest = '47DEQpj8HBSaXYTImWX5JCeuQeRkm5NMpJWZG3hSuFU'

export interface Upload {
  content: string | Uint8Array<ArrayBuffer>
  /** null sends the part without a file name. */
  name?: string | null
  expectedDigest?: string
}

const boundary = 'conformance-boundary-7d81b516'

/** The bytes of a form with the given parts, in their order. `name` null: no file name. */
export function formBytes(
  parts: readonly { member: string; content: string | Uint8Array; fileName?: string | null }[],
): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const pieces = parts.flatMap(({ member, content, fileName }) => {
    const name = fileName == null ? '' : `; filename="${fileName}"`
    const type = fileName === undefined ? '' : '\r\nContent-Type: application/octet-stream'
    return [
      encoder.encode(`--${boundary}\r\nContent-Disposition: form-data; name="${member}"${name}${type}\r\n\r\n`),
      typeof content === 'string' ? encoder.encode(content) : content,
      encoder.encode('\r\n'),
    ]
  })
  return joined([...pieces, encoder.encode(`--${boundary}--\r\n`)])
}

export const formType = `multipart/form-data; boundary=${boundary}`

/** Posts a form as it is. */
export const postForm = <T = unknown>(client: Client, path: string, bytes: Uint8Array<ArrayBuffer>, type = formType) =>
  client.postRaw<T>(path, bytes, { headers: { 'content-type': type } })

export function upload(
  project: Project,
  { content, name = 'file.bin', expectedDigest }: Upload,
  path = '/file/create',
): Promise<Answer<{ digest: string; reason?: string; error_type?: string }>> {
  const expected = expectedDigest === undefined ? [] : [{ member: 'expected_digest', content: expectedDigest }]
  const parts = [
    { member: 'project_id', content: project.id },
    { member: 'file', content, fileName: name },
    ...expected,
  ]
  return postForm(project.client, path, formBytes(parts))
}

/** Reads a file's content, whatever the answer. */
export const download = (project: Project, digest: string, headers: Record<string, string> = {}) =>
  project.client.post<{ reason: string }>('/file/content', { project_id: project.id, digest }, { headers })

export async function filesSize(project: Project): Promise<number> {
  const answer = await project.client.post<{ total_size_bytes: number }>('/files/query_stats', {
    project_id: project.id,
  })
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json.total_size_bytes
}

/** Bytes that look random and are the same every time. */
export function noise(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let state = seed >>> 0
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    bytes[i] = state >>> 24
  }
  return bytes
}

/** Authorization of a client, for requests that are not made through it. */
export const credentials = ({ key }: Client): Record<string, string> => ({ authorization: basic('api', key) })

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.byteLength
  }
  return bytes
}
