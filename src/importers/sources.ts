import { claudeCode } from './claude-code/claude-code.ts'
import { codex } from './codex/codex.ts'
import { inspect } from './inspect/inspect.ts'
import { jaeger } from './jaeger/jaeger.ts'
import { langfuse } from './langfuse/langfuse.ts'
import { mlflow } from './mlflow/mlflow.ts'
import { otlp } from './otlp/otlp.ts'
import { phoenix } from './phoenix/phoenix.ts'
import type { Source } from './source.ts'
import { weave } from './weave/weave.ts'

/** Everything that can be imported from, in the order of the help. */
export const sources: readonly Source[] = [claudeCode, codex, weave, langfuse, otlp, jaeger, phoenix, mlflow, inspect]
