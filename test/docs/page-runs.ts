/** How the commands of a page are run: all of them, in their order, in one shell. */
export interface PageRun {
  /** From the root of the repository. */
  readonly file: string
  /** Calls that the page expects. */
  readonly needs?: 'demo' | 'airline'
  /** Answers of the stub that takes the place of OpenAI. */
  readonly answers?: Readonly<Record<string, string>>
  /** Texts to replace, besides keys and addresses. */
  readonly replace?: Readonly<Record<string, string>>
  /** What the output must contain. */
  readonly expected: readonly string[]
}

const sums = Object.fromEntries(
  Array.from({ length: 50 }, (_, index) => [`What is ${index + 1} + ${index + 1}?`, String(2 * (index + 1))]),
)

/** The pages whose commands this folder runs. See docs/decisions/181-commands-of-the-guide.md. */
export const pageRuns: readonly PageRun[] = [
  {
    file: 'README.md',
    needs: 'airline',
    replace: { 'revoke ID': `revoke "$(tracelake keys list | awk '/ ci /{print $1}')"` },
    expected: ['"latency_ms":1250', '384,400', 'op_name,started_at', '"count":'],
  },
  { file: 'docs/guide/questions.md', needs: 'airline', expected: ['cancel_reservation', '_total_cost', 'p95'] },
  { file: 'docs/guide/feedback.md', needs: 'airline', expected: ['Asked twice', '"completed"'] },
  { file: 'docs/guide/objects.md', needs: 'airline', expected: ['You are a terse agent.'] },
  { file: 'docs/guide/models.md', answers: {}, expected: ['Hello there', 'Hello Ada'] },
  { file: 'docs/guide/evaluations.md', answers: sums, expected: ['"pass_rate": 1', 'Cusco'] },
  { file: 'docs/guide/opentelemetry.md', expected: ['No space left', '"sum_total_cost"'] },
  {
    file: 'docs/guide/operating.md',
    needs: 'airline',
    replace: {
      [`'{"id": "1a2b3c4d"}'`]: `"$(admin /keys/query '{}' | jq -c '.keys | map(select(.name == "ci"))[0] | {id}')"`,
    },
    expected: ['tracelake_requests_total', 'OPENAI_API_KEY'],
  },
  { file: 'docs/guide/install.md', expected: ['ok'] },
  { file: 'docs/guide/audit.md', expected: ['"entries"'] },
  { file: 'docs/guide/retention.md', expected: ['"retention_days":30', 'acme/support-bot'] },
  { file: 'docs/guide/troubleshooting.md', expected: ['by-hand'] },
  { file: 'docs/guide/security.md', expected: ["script-src 'self'", 'dashboard'] },
  { file: 'docs/guide/cookbook/cost-per-user.md', needs: 'demo', expected: ['user\trequests\tusd', 'customer-'] },
  { file: 'docs/guide/cookbook/failing-tools.md', needs: 'demo', expected: ['tool.lookup_order', '504 Gateway'] },
  {
    file: 'docs/guide/cookbook/dataset-from-failures.md',
    needs: 'demo',
    expected: ['"digest"', 'failures'],
  },
  {
    file: 'docs/guide/cookbook/gate-in-ci.md',
    answers: { '1 + 1?': '2', '2 + 2?': '4', '3 + 3?': '7' },
    expected: ['Pass rate 0.666', 'the build fails'],
  },
]

/** Pages whose commands are run elsewhere. */
export const pagesRunElsewhere: Readonly<Record<string, string>> = {
  'docs/guide/rules.md': 'test/docs/rules-guide.test.ts',
  'docs/guide/cookbook/offline-analysis.md': 'scripts/test clients, because it needs packages of Python',
  'docs/guide/views.md': 'scripts/test engines --stage views, because it needs the engines',
  'docs/guide/coming-from/phoenix.md': 'scripts/test clients; the import by scripts/test importers',
  'docs/guide/coming-from/langfuse.md': 'scripts/test clients; the import by test/cli',
  'docs/guide/coming-from/langsmith.md': 'scripts/test clients; the dataset by test/conformance/families',
}
/** Pages about clients, by scripts/test clients. */
export const clientPages = 'docs/guide/clients/'
