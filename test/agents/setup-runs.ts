import type { AgentRun } from './agent-run.ts'

const prompt = 'Say hello with a tool'

/**
 * The agents with the settings that "tracelake setup" writes. What is given here makes them use the
 * stub of their provider, and run without questions.
 */
export function runsAfterSetup(provider: string): AgentRun[] {
  const expected = { model: 2, tool: 1 }
  return [
    {
      name: 'claude-code-after-setup',
      words: ['claude', '-p', prompt, '--dangerously-skip-permissions'],
      env: { ANTHROPIC_BASE_URL: provider, ANTHROPIC_API_KEY: 'stub', IS_SANDBOX: '1' },
      files: { '.claude/settings.json': '{\n  "theme": "dark"\n}\n' },
      setup: 'claude',
      expected,
    },
    {
      name: 'codex-after-setup',
      words: ['codex', 'exec', '--skip-git-repo-check', prompt],
      env: { STUB_KEY: 'stub' },
      files: {
        '.codex/config.toml': `model = "gpt-5-codex"
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.stub]
name = "stub"
base_url = "${provider}/v1"
env_key = "STUB_KEY"
wire_api = "responses"
`,
      },
      setup: 'codex',
      expected,
    },
    {
      name: 'gemini-cli-after-setup',
      words: ['gemini', '-y', '-p', prompt],
      env: { GEMINI_API_KEY: 'stub', GOOGLE_GEMINI_BASE_URL: provider, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
      files: {
        '.gemini/settings.json': JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }),
      },
      setup: 'gemini',
      // One to choose the model.
      expected: { model: 3, tool: 1 },
    },
  ]
}
