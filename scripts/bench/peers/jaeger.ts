import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { hasAllTraces, jaegerQuestions, plainExports } from './jaeger-answers.ts'
import { NotAvailable, type Peer } from './peer.ts'
import { freePort } from './peer-server.ts'
import { runTool } from './run-tool.ts'

const module = 'github.com/jaegertracing/jaeger'
const version = 'v1.76.0'

/**
 * Jaeger's all-in-one program with its embedded storage, from the Go module.
 *
 * @param tools folder that the program is kept in
 * @throws NotAvailable
 */
export async function jaeger(tools: string): Promise<Peer> {
  const program = path.join(tools, `jaeger-${version}`)
  if (!existsSync(program)) await install(program, path.join(tools, 'jaeger-module'))
  return {
    name: 'Jaeger (badger)',
    version: `${version}, Go module`,
    async launch(folder) {
      const [otlp, query, admin, ...others] = await Promise.all(Array.from({ length: 8 }, freePort))
      const listen = {
        'collector.otlp.http.host-port': otlp,
        'query.http-server.host-port': query,
        'admin.http.host-port': admin,
        'collector.otlp.grpc.host-port': others[0],
        'query.grpc-server.host-port': others[1],
        'collector.http-server.host-port': others[2],
        'collector.grpc-server.host-port': others[3],
      }
      return {
        command: [
          program,
          '--badger.ephemeral=false',
          `--badger.directory-key=${path.join(folder, 'key')}`,
          `--badger.directory-value=${path.join(folder, 'values')}`,
          // By default it drops what exceeds 2,000 waiting spans.
          '--collector.queue-size=100000',
          '--log-level=error',
          ...Object.entries(listen).map(([option, port]) => `--${option}=127.0.0.1:${port}`),
        ],
        env: { SPAN_STORAGE_TYPE: 'badger' },
        url: `http://127.0.0.1:${query}`,
        intakeUrl: `http://127.0.0.1:${otlp}`,
        ready: '/api/services',
      }
    },
    deliveries: (spans) => plainExports(spans, '/v1/traces'),
    questions: async (spans) => jaegerQuestions(spans, ''),
    isStored: (spans, url) => hasAllTraces(spans, url, ''),
  }
}

/**
 * The module cannot be installed by name, as it replaces a dependency, but another module can
 * require it.
 */
async function install(program: string, folder: string): Promise<void> {
  if (Bun.which('go') === null) throw new NotAvailable('there is no "go" on the PATH to install it with')
  await mkdir(folder, { recursive: true })
  const go = (...words: string[]) => runTool(['go', ...words], { folder, env: { GOFLAGS: '-mod=mod' } })
  if (!existsSync(path.join(folder, 'go.mod'))) await go('mod', 'init', 'peers')
  await go('get', `${module}/cmd/all-in-one@${version}`)
  await go('build', '-o', program, `${module}/cmd/all-in-one`)
}
