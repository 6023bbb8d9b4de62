import process from 'node:process'
import { S3Server } from './s3-server.ts'

/** A process with an S3 server in memory. Its parent asks it how many requests there were. */
const server = await new S3Server().start()
server.listedAtOnce = 1000
server.delayMs = Number(process.argv[2] ?? 0)

process.on('message', () => {
  const counts: Record<string, number> = {}
  for (const request of server.requests) {
    const kind = kindOf(request)
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  process.send?.({ counts })
})
process.send?.({ endpoint: server.endpoint })

/** As S3 bills it. */
function kindOf(request: string): string {
  const [method = '', url = ''] = request.split(' ')
  if (method === 'GET' && url.includes('list-type=2')) return 'list'
  if (method === 'POST' && url.includes('?delete')) return 'delete'
  return method === 'POST' ? 'put' : method.toLowerCase()
}
