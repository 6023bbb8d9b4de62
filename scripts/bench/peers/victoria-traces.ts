import { existsSync } from 'node:fs'
import path from 'node:path'
import { hasAllTraces, jaegerQuestions, plainExports } from './jaeger.ts'
import { NotAvailable, type Peer, type Spans } from './peer.ts'
import { freePort } from './peer-server.ts'

const base = '/select/jaeger'

/**
 * VictoriaTraces, asked in LogsQL and by Jaeger's query API.
 *
 * @param program path of the server's program
 * @throws NotAvailable
 */
export function victoriaTraces(program: string | undefined): Peer {
  if (program === undefined) throw new NotAvailable('give its program with --victoria-traces')
  if (!existsSync(program)) throw new NotAvailable(`there is no file ${program}`)
  return {
    name: 'VictoriaTraces',
    version: path.basename(program),
    async launch(folder) {
      const port = await freePort()
      return {
        command: [
          program,
          `-storageDataPath=${folder}`,
          `-httpListenAddr=127.0.0.1:${port}`,
          '-retentionPeriod=100y',
          '-loggerLevel=ERROR',
        ],
        env: {},
        url: `http://127.0.0.1:${port}`,
        ready: '/health',
      }
    },
    deliveries: (spans) => plainExports(spans, '/insert/opentelemetry/v1/traces'),
    questions: async (spans) => ({ ...jaegerQuestions(spans, base), ...logsQuestions(spans) }),
    isStored: (spans, url) => hasAllTraces(spans, url, base),
  }
}

function logsQuestions(spans: Spans) {
  const { attribute, word } = spans
  const asked = (query: string) => () => ({
    path: `/select/logsql/query?${new URLSearchParams({
      query,
      start: new Date(spans.firstMs).toISOString(),
      end: new Date(spans.lastMs + 1000).toISOString(),
    })}`,
  })
  const lines = (answer: string) => answer.trim().split('\n').filter(Boolean).length
  const count = (answer: string) => Number((JSON.parse(answer) as { n: string }).n)
  const ofModel = `"span_attr:${attribute.key}":="${attribute.value}"`
  const withWord = `"span_attr:gen_ai.input.messages":"${word.text}"`
  return {
    'count by attribute': { request: asked(`${ofModel} | stats count() n`), sizeOf: count, size: attribute.spans },
    'newest 50 with a rare word': {
      request: asked(`${withWord} | sort by (_time desc) limit 50`),
      sizeOf: lines,
      size: Math.min(50, word.spans),
    },
    'count by hour': {
      request: asked(
        'span_id:* | stats by (_time:1h) count() n, avg(duration) latency, count() if (status_code:=2) errors',
      ),
      sizeOf: lines,
      size: spans.hours,
    },
    'count of all': { request: asked('span_id:* | stats count() n'), sizeOf: count, size: spans.count },
  }
}
